import type { AuditBreak } from '../domain/audit/audit-check.ts'
import type { AuditHead } from '../domain/audit/audit-heads.ts'
import type { AuditRow } from '../domain/audit/audit-row.ts'

export type AuditRange = {
  /** The row to start after, with its hash. */
  readonly from: AuditHead
  /** Heads that were remembered outside the database. */
  readonly remembered: readonly AuditHead[]
}

export type AuditFindings = { readonly head: AuditHead; readonly breaks: readonly AuditBreak[] }

/**
 * The audit log: rows that are only ever appended, each with a hash that covers it and the row before it. The store
 * appends them.
 *
 * Contract: read-only. Works in pages, so neither a long chain nor a forged row number makes it slow or large.
 */
export interface AuditChain {
  head(): Promise<AuditHead>
  /** Recomputes the hashes of the rows after `from`, and looks for the remembered heads. */
  check(range: AuditRange): Promise<AuditFindings>
  /** Identifies the exact contents of all rows up to this one, whether or not their hashes match. */
  digest(upTo: number): Promise<string>
  /** The rows after `after`, oldest first; without it, the newest rows. */
  list(query: { readonly after?: number | undefined; readonly limit: number }): Promise<readonly AuditRow[]>
}
