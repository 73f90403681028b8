import { LIST_LIMITS } from '../../domain/limits/list-limits.ts'
/** A part of a list: at most `limit` items, after the one that `cursor` names. */
export type PageInput = { readonly limit: number; readonly cursor?: string | undefined }

/** A page of a list; `nextCursor` is absent on the last one. */
export type Page<Item> = { readonly items: readonly Item[]; readonly nextCursor?: string }

/** How many of the newest records to load for a page: one more than it shows, to know whether another follows. */
export function recentCount({ limit, cursor }: PageInput): number {
  return cursor === undefined ? limit + 1 : LIST_LIMITS.recent
}

/** Cuts a page out of a whole list. */
export function pageOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit, cursor }: PageInput,
): Page<Item> {
  const start = cursor === undefined ? 0 : items.findIndex((item) => item.id === cursor) + 1
  // Nothing follows a cursor whose item no longer exists; starting over would loop forever.
  if (cursor !== undefined && start === 0) return { items: [] }
  return firstPage(items.slice(start, start + limit + 1), limit)
}

/** A page of a list that was read from the cursor on, with one item more than the page shows. */
export function firstPage<Item extends { readonly id: string }>(
  items: readonly Item[],
  limit: number,
): Page<Item> {
  const shown = items.slice(0, limit)
  const last = shown.at(-1)
  return { items: shown, ...(items.length > limit && last !== undefined ? { nextCursor: last.id } : {}) }
}
