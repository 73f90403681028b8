import type { AuditEntry } from '../../domain/audit/audit-entry.ts'
import type { NewEvent } from '../../domain/event/event.ts'
import type { Work } from '../work-queue.ts'

/**
 * What is stored with every change of state, in its transaction: the events watchers see, the audit row, and
 * the work that follows. Saving a state asks for one, so none can be forgotten;
 * what changes no row is stored by `note`.
 */
export type Change = {
  readonly audit: AuditEntry
  readonly events?: readonly NewEvent[]
  readonly follow?: readonly Work[]
}
