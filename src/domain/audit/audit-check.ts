/** The last row of the audit chain: its number, and the hash that covers it and every row before it. */
export type AuditHead = { readonly seq: number; readonly hash: string }

/** The head of a chain without rows. */
export const NO_AUDIT: AuditHead = { seq: 0, hash: '0'.repeat(64) }

/** One way in which the chain doesn't match what was recorded. */
export type AuditBreak =
  /** The row doesn't match its own hash, or doesn't continue the row before it. */
  | { readonly type: 'row-changed'; readonly seq: number }
  | { readonly type: 'rows-missing'; readonly from: number; readonly to: number }
  /** The chain ends before a row that the home remembers. */
  | { readonly type: 'tail-cut'; readonly from: number; readonly to: number }
  /** The row isn't the one that was remembered under its number, in the home or in the database. */
  | { readonly type: 'row-replaced'; readonly seq: number }
  /** Rows that a person accepted as they were have changed since. */
  | { readonly type: 'accepted-changed'; readonly to: number }

/** What is known about the audit chain. */
export type AuditCheck =
  | { readonly type: 'checking' }
  | { readonly type: 'intact'; readonly rows: number; readonly checkedAt: Date }
  | {
      readonly type: 'broken'
      readonly rows: number
      readonly checkedAt: Date
      /** The first of them; there may be more. */
      readonly breaks: readonly AuditBreak[]
    }

/** The first breaks tell a person where to look; thousands more would tell nothing new. */
export const SHOWN_BREAKS = 100

/** What comparing remembered heads with the chain shows. `hashAt` has the hash of each remembered row that exists. */
export function compareHeads(
  head: AuditHead,
  remembered: readonly AuditHead[],
  hashAt: ReadonlyMap<number, string>,
): readonly AuditBreak[] {
  const known = remembered.filter(({ seq }) => seq > 0)
  const last = Math.max(0, ...known.map(({ seq }) => seq))
  const cut = last > head.seq ? [{ type: 'tail-cut', from: head.seq + 1, to: last } as const] : []
  const replaced = new Set(
    known.flatMap(({ seq, hash }) => (seq <= head.seq && hashAt.get(seq) !== hash ? [seq] : [])),
  )
  return [...cut, ...[...replaced].map((seq) => ({ type: 'row-replaced', seq }) as const)]
}
