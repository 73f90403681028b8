import { activeMsOf, type Job } from '../../domain/job/job.ts'
import type { JobState } from '../../domain/job/job-state.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Reads } from './find-record.ts'
import { firstPage, type Page, type PageInput } from './page.ts'

export type JobsInput = PageInput & {
  readonly user?: string | undefined
  readonly status?: JobState['type'] | undefined
}

/** A job with how long it has worked until now. */
export type JobSummary = { readonly job: Job; readonly activeMs: number }

/** Newest first. */
export async function listJobs(
  needs: Reads & { readonly clock: Clock },
  { limit, cursor, user: userId, status }: JobsInput,
): Promise<Page<JobSummary>> {
  const filter = withoutUndefined({ userId, status })
  const jobs = await needs.store.read.jobs.list(filter, withoutUndefined({ limit: limit + 1, cursor }))
  const page = firstPage(jobs, limit)
  return { ...page, items: page.items.map((job) => summarize(job, needs.clock.now())) }
}

export function summarize(job: Job, now: Date): JobSummary {
  return { job, activeMs: activeMsOf(job, now) }
}
