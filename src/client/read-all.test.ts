import { expect, it } from 'vitest'
import { failure, success } from '../domain/result.ts'
import { PAGE_LIMIT, readAll } from './read-all.ts'

/** A list of pages; each cursor is the number of the next one. */
function pagesOf(...pages: readonly (readonly number[])[]) {
  return async ({ cursor = '0' }: { readonly cursor: string | undefined }) => {
    const next = Number(cursor) + 1
    const items = [...(pages[Number(cursor)] ?? [])]
    return success(next < pages.length ? { items, nextCursor: String(next) } : { items })
  }
}

it('reads page after page, each as large as it may be', async () => {
  const limits: number[] = []
  const read = pagesOf([1, 2], [3], [4])
  const all = await readAll((page) => {
    limits.push(page.limit)
    return read(page)
  })
  expect(all).toEqual(success([1, 2, 3, 4]))
  expect(limits).toEqual([PAGE_LIMIT, PAGE_LIMIT, PAGE_LIMIT])
})

it('stops after the given number of pages', async () => {
  expect(await readAll(pagesOf([1], [2], [3]), 2)).toEqual(success([1, 2]))
})

it('fails with the first page that fails', async () => {
  const refused = failure({ type: 'unreachable', status: 0, message: 'nobody is there' })
  const read = pagesOf([1], [2])
  const all = await readAll((page) => (page.cursor === undefined ? read(page) : Promise.resolve(refused)))
  expect(all).toEqual(refused)
})
