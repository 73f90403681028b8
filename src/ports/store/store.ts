import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { ApprovalRecords } from './approval-records.ts'
import type { ApprovalRuleRecords } from './approval-rule-records.ts'
import type { AttemptRecords } from './attempt-records.ts'
import type { BaselineRecords } from './baseline-records.ts'
import type { CandidateRecords } from './candidate-records.ts'
import type { Change } from './change.ts'
import type { CycleRecords } from './cycle-records.ts'
import type { DeletionRecords } from './deletion-records.ts'
import type { DocumentRecords } from './document-records.ts'
import type { JobRecords } from './job-records.ts'
import type { LandingRecords } from './landing-records.ts'
import type { MessageRecords } from './message-records.ts'
import type { NameRecords } from './name-records.ts'
import type { PinnedPlaybookRecords } from './pinned-playbook-records.ts'
import type { ProjectRecords } from './project-records.ts'
import type { RunRecords } from './run-records.ts'
import type { SessionRecords } from './session-records.ts'
import type { TaskRecords } from './task-records.ts'
import type { TrustRecords } from './trust-records.ts'
import type { VisitRecords } from './visit-records.ts'

export type Records = {
  readonly projects: ProjectRecords
  readonly jobs: JobRecords
  readonly cycles: CycleRecords
  readonly tasks: TaskRecords
  readonly attempts: AttemptRecords
  readonly sessions: SessionRecords
  readonly landings: LandingRecords
  readonly candidates: CandidateRecords
  readonly baselines: BaselineRecords
  readonly pinnedPlaybooks: PinnedPlaybookRecords
  readonly runs: RunRecords
  readonly visits: VisitRecords
  readonly documents: DocumentRecords
  readonly approvals: ApprovalRecords
  readonly approvalRules: ApprovalRuleRecords
  readonly messages: MessageRecords
  readonly trust: TrustRecords
  readonly names: NameRecords
  readonly deletions: DeletionRecords
  /** Stores the audit entry, events and work of something that changes no row. No version changes. */
  note(change: Change): Promise<void>
}

/** Thrown by a save whose row has changed since it was read: the handler runs again and reads the row again. */
export class StaleRecordError extends Error {
  override readonly name = 'StaleRecordError'
}

/**
 * The durable record of everything.
 *
 * Contract: everything done within `transact` is stored whole or not at all, and is on disk when it resolves. A save
 * throws StaleRecordError if the row no longer has the version that was read. `withJob` holds the job's row lock for
 * the transaction, so decisions about one job run one after the other.
 */
export interface Store {
  readonly read: Records
  transact<Value>(work: (records: Records) => Promise<Value>): Promise<Value>
  /** Undefined if there is no such job. */
  withJob<Value>(
    jobId: JobId,
    work: (records: Records, job: Job) => Promise<Value>,
  ): Promise<Value | undefined>
}
