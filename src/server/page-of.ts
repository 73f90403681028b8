import type { Page } from '../contract/envelope.ts'

type PageQuery = { readonly limit: number; readonly cursor?: string | undefined }

/** The page of a whole list that begins after the item the cursor names. */
export function pageOf<Item extends { readonly id: string }, Wire>(
  items: readonly Item[],
  query: PageQuery,
  render: (item: Item) => Wire,
): Page<Wire> {
  const start = query.cursor === undefined ? 0 : items.findIndex((item) => item.id === query.cursor) + 1
  // A cursor that names nothing any more has nothing after it; starting over would loop for ever.
  if (query.cursor !== undefined && start === 0) return { items: [] }
  const page = items.slice(start, start + query.limit)
  const last = page.at(-1)
  const hasMore = start + query.limit < items.length && last !== undefined
  return { items: page.map(render), ...(hasMore ? { nextCursor: last.id } : {}) }
}
