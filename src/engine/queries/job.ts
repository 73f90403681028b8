import type { Job } from '../../domain/job/job.ts'
import type { JobDocument } from '../../domain/job/job-document.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Clock } from '../../ports/clock.ts'
import { findJob, type JobNotFound, type Reads } from './find-record.ts'
import { type JobSummary, summarize } from './jobs.ts'
import { listWaitingOfJob, type Waiting } from './waiting.ts'

type Needs = Reads & { readonly clock: Clock }

/** A job with its cost, what it waits for, and the edits that its next cycle applies. */
export type JobView = JobSummary & {
  readonly spentUsd: number
  readonly edits: readonly JobDocument[]
  readonly waiting: readonly Waiting[]
}

export async function showJob(needs: Needs, id: string): Promise<Result<JobView, JobNotFound>> {
  const job = await findJob(needs, id)
  return job.ok ? success(await viewJob(needs, job.value)) : job
}

/** The same for a job that was just loaded or changed. */
export async function viewJob(needs: Needs, job: Job): Promise<JobView> {
  const { sessions, documents } = needs.store.read
  const [spentUsd, edits, waiting] = await Promise.all([
    sessions.spentBy(job.id),
    documents.listWaiting(job.id),
    listWaitingOfJob(needs, job),
  ])
  return { ...summarize(job, needs.clock.now()), spentUsd, edits, waiting }
}
