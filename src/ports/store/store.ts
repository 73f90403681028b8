import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { ApprovalRecords } from './approval-records.ts'
import type { AttemptRecords } from './attempt-records.ts'
import type { CandidateRecords } from './candidate-records.ts'
import type { Change } from './change.ts'
import type { CycleRecords } from './cycle-records.ts'
import type { DocumentRecords } from './document-records.ts'
import type { JobRecords } from './job-records.ts'
import type { LandingRecords } from './landing-records.ts'
import type { MessageRecords } from './message-records.ts'
import type { ProjectRecords } from './project-records.ts'
import type { SessionRecords } from './session-records.ts'
import type { TaskRecords } from './task-records.ts'

export type Records = {
  readonly projects: ProjectRecords
  readonly jobs: JobRecords
  readonly cycles: CycleRecords
  readonly tasks: TaskRecords
  readonly attempts: AttemptRecords
  readonly sessions: SessionRecords
  readonly landings: LandingRecords
  readonly candidates: CandidateRecords
  readonly documents: DocumentRecords
  readonly approvals: ApprovalRecords
  readonly messages: MessageRecords
  /** Stores the audit entry, events and work of something that changes no row. No version moves on. */
  note(change: Change): Promise<void>
}

/** Thrown by a save whose row moved on since it was read: the handler is run again and reads afresh. */
export class StaleRecordError extends Error {
  override readonly name = 'StaleRecordError'
}

/**
 * The durable record of everything.
 *
 * Contract: what `transact` was given to do is stored whole or not at all, and is on disk when it resolves.
 * Saves are guarded by the version that was read and throw StaleRecordError when it moved on. `withJob` holds
 * the job's row lock for the transaction: deciders of one job run one after the other.
 */
export interface Store {
  readonly read: Records
  transact<Value>(work: (records: Records) => Promise<Value>): Promise<Value>
  /** Undefined when there is no such job. */
  withJob<Value>(
    jobId: JobId,
    work: (records: Records, job: Job) => Promise<Value>,
  ): Promise<Value | undefined>
}
