import type { AttemptId, CandidateId, JobId, ProjectId, VisitId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Change } from './change.ts'

/** What is left to remove of a job whose rows are gone. */
export type Deletion = {
  readonly jobId: JobId
  readonly projectId: ProjectId
  readonly repositoryPath: string
  /** Its branch in the hub. */
  readonly workingBranch: string
  /** The commit at which the person's branch of that name is deleted too; absent if they keep it. */
  readonly removedBranch?: string
  /** The snapshot of uncommitted changes that it started from. */
  readonly snapshot?: string
  readonly pins: readonly AttemptId[]
  /** Whose working trees may still exist. */
  readonly trees: readonly (AttemptId | CandidateId | VisitId)[]
  /** Whose files may still exist. */
  readonly sessions: readonly Pick<Session, 'id' | 'processNumber' | 'mode'>[]
  readonly createdAt: Date
}

/**
 * Deletions of jobs that are under way.
 *
 * Contract: `begin` deletes every row of the job, including its events but not its audit entries, in the transaction
 * that stores what is left to remove. So a job exists completely or not at all.
 */
export interface DeletionRecords {
  /** The transaction must hold the job's lock. */
  begin(deletion: Deletion, change: Change): Promise<void>
  find(jobId: JobId): Promise<Deletion | undefined>
  listOpen(): Promise<readonly Deletion[]>
  /** The person's branch was removed, or must be kept. It may come back, and must not be removed twice. */
  settleBranch(jobId: JobId, change: Change): Promise<void>
  /** Everything was removed. */
  end(jobId: JobId, change: Change): Promise<void>
  /** How many bytes the rows and events of a job occupy, roughly. */
  bytesOf(jobId: JobId): Promise<number>
}
