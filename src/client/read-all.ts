import type { Page } from '../contract/envelope.ts'
import { LIST_LIMITS } from '../domain/limits/list-limits.ts'
import { type Result, success } from '../domain/result.ts'
import type { ApiError } from './api-error.ts'

/** The largest page that the API returns. */
export const PAGE_LIMIT = LIST_LIMITS.mostOfPage
const MOST_PAGES = 50

type PageRequest = { readonly limit: number; readonly cursor: string | undefined }

/** Reads all pages of a list. The default limit is higher than any list of one job. */
export async function readAll<Item>(
  readPage: (page: PageRequest) => Promise<Result<Page<Item>, ApiError>>,
  mostPages = MOST_PAGES,
): Promise<Result<readonly Item[], ApiError>> {
  const items: Item[] = []
  let cursor: string | undefined
  for (let count = 0; count < mostPages; count += 1) {
    const page = await readPage({ limit: PAGE_LIMIT, cursor })
    if (!page.ok) return page
    items.push(...page.value.items)
    cursor = page.value.nextCursor
    if (cursor === undefined) break
  }
  return success(items)
}
