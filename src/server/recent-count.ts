/** How far back a list over all jobs can be paged through; older records are reached through their job. */
const RECENT_WINDOW = 1000

/** How many of the newest records a page needs to be cut from, one more than shown to know of a next page. */
export function recentCount(query: { readonly limit: number; readonly cursor?: string | undefined }): number {
  return query.cursor === undefined ? query.limit + 1 : RECENT_WINDOW
}
