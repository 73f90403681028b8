import type { JobId, ProjectId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobState } from '../../domain/job/job-state.ts'
import type { Change } from './change.ts'
import type { PageRequest } from './page.ts'

export type JobFilter = {
  readonly projectId?: ProjectId
  readonly userId?: string
  readonly status?: JobState['type']
}

/** Contract: `save` stores every field of `job` except id, createdAt and version, if the row has the same version. */
export interface JobRecords {
  /** With a key that was used before, returns that job instead of storing another. */
  insert(job: Job, change: Change, idempotencyKey?: string): Promise<Job>
  findByKey(idempotencyKey: string): Promise<Job | undefined>
  save(job: Job, change: Change): Promise<Job>
  find(id: JobId): Promise<Job | undefined>
  list(filter: JobFilter, page: PageRequest): Promise<readonly Job[]>
  /** Jobs that are pending, running or paused. */
  listOpen(): Promise<readonly Job[]>
  /** Jobs that ended before this time, oldest first; with `after`, those that come after that job. */
  listEnded(before: Date, page: { readonly limit: number; readonly after?: Job }): Promise<readonly Job[]>
}
