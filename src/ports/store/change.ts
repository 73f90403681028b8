import type { AuditEntry } from '../../domain/audit/audit-entry.ts'
import type { NewEvent } from '../../domain/event/event.ts'
import type { Work } from '../work-queue.ts'

/**
 * What is stored together with a change of state, in one transaction: the events that watchers see, the audit entry,
 * and the work that follows. Every save requires one, so none can be forgotten. `note` stores a change without a row.
 */
export type Change = {
  readonly audit: AuditEntry
  readonly events?: readonly NewEvent[]
  readonly follow?: readonly Work[]
}
