import type { JobId } from '../../domain/id.ts'
import { failure, type Result } from '../../domain/result.ts'
import { readDiff } from './read-diff.ts'
import type { ReportNeeds } from './report-needs.ts'
import type { DiffFailure, WorkDiff } from './work-diff.ts'

/** All that a job has landed so far: its working branch against where it began. */
export async function diffOfJob(needs: ReportNeeds, jobId: JobId): Promise<Result<WorkDiff, DiffFailure>> {
  const job = await needs.store.read.jobs.find(jobId)
  if (job === undefined) return failure({ type: 'not-found', what: 'job', id: jobId })
  const to = await needs.branches.tip(job.projectId, job.workingBranch)
  if (to === undefined) {
    return failure({ type: 'no-work', subject: jobId, problem: 'it has no working branch yet' })
  }
  return readDiff(needs, job, { subject: jobId, from: job.baseCommit, to })
}
