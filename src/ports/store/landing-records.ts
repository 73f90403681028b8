import type { JobId, LandingId, TaskId } from '../../domain/id.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import type { Change } from './change.ts'

export interface LandingRecords {
  insert(landing: Landing, change: Change): Promise<Landing>
  save(landing: Landing, change: Change): Promise<Landing>
  find(id: LandingId): Promise<Landing | undefined>
  /** Those that exist, in no particular order. */
  findMany(ids: readonly LandingId[]): Promise<readonly Landing[]>
  /** Oldest first. */
  listOpen(jobId: JobId): Promise<readonly Landing[]>
  listOfTask(taskId: TaskId): Promise<readonly Landing[]>
  listOfJob(jobId: JobId): Promise<readonly Landing[]>
}
