import type { Job } from '../job/job.ts'
import { isJobFinished } from '../job/job-state.ts'
import { failure, type Result, success } from '../result.ts'
import type { DeletionFailure } from './cleanup-failure.ts'

export type DeletionFacts = {
  readonly job: Pick<Job, 'id' | 'state'>
  /** What of the job still runs, by id or name. */
  readonly running: readonly string[]
  /** The jobs that continue from one of its runs. */
  readonly forks: readonly string[]
  /** The work that would be lost, by name. */
  readonly lost: readonly string[]
  /** The person agreed to lose it. */
  readonly withUnlandedWork: boolean
}

/** Whether a job may be deleted now. */
export function judgeDeletion({
  job,
  running,
  forks,
  lost,
  withUnlandedWork,
}: DeletionFacts): Result<void, DeletionFailure> {
  if (!isJobFinished(job.state))
    return failure({ type: 'job-not-ended', jobId: job.id, status: job.state.type })
  const [by] = running
  if (by !== undefined) return failure({ type: 'job-in-use', jobId: job.id, by })
  if (forks.length > 0) return failure({ type: 'job-forked', jobId: job.id, forks })
  if (lost.length > 0 && !withUnlandedWork)
    return failure({ type: 'work-unlanded', jobId: job.id, works: lost })
  return success(undefined)
}
