import type { AuditBreak } from './audit-check.ts'

/** The last row of the audit chain: its number, and the hash that covers it and every row before it. */
export type AuditHead = { readonly seq: number; readonly hash: string }

/** The head of a chain without rows. */
export const NO_AUDIT: AuditHead = { seq: 0, hash: '0'.repeat(64) }

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
