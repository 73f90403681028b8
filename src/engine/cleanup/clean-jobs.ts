import { daysBefore } from '../../domain/cleanup/days-before.ts'
import { whyKept } from '../../domain/cleanup/why-kept.ts'
import type { Job } from '../../domain/job/job.ts'
import { CLEANUP_LIMITS } from '../../domain/limits/cleanup-limits.ts'
import { taskName } from '../../domain/task/task-name.ts'
import { deleteJob } from './delete-job.ts'
import { type DeletionNeeds, planDeletion } from './inspect-deletion.ts'
import type { PinnedWork } from './pinned-work.ts'

export type CleanOptions = {
  /** Only jobs that ended before this time. */
  readonly endedBefore?: Date | undefined
  readonly isDryRun: boolean
}

export type Cleaned = {
  readonly endedBefore: Date
  readonly isDryRun: boolean
  readonly jobs: readonly CleanedJob[]
}

/** An old job, and what happens to it. */
export type CleanedJob = {
  readonly job: Job
  readonly bytes: number
  /** Work that did not land, and that goes with the job. */
  readonly unlanded: readonly PinnedWork[]
  /** Why it stays; absent if it is removed, or would be. */
  readonly kept?: string
}

/** Deletes all old jobs, except those with work that must be kept. Oldest first. */
export async function cleanJobs(
  needs: DeletionNeeds,
  { endedBefore: given, isDryRun }: CleanOptions,
  atOnce: number = CLEANUP_LIMITS.jobsAtOnce,
): Promise<Cleaned> {
  const endedBefore = given ?? daysBefore(needs.clock.now(), CLEANUP_LIMITS.jobDays)
  const jobs: CleanedJob[] = []
  for await (const job of endedJobs(needs, endedBefore, atOnce)) {
    const judged = await judge(needs, job)
    const isLeft = isDryRun || judged.kept !== undefined
    jobs.push(isLeft ? judged : await clean(needs, judged))
  }
  return { endedBefore, isDryRun, jobs }
}

/** The job that a page ended with may be deleted by the time the next page is read. */
async function* endedJobs(
  { store }: Pick<DeletionNeeds, 'store'>,
  before: Date,
  limit: number,
): AsyncGenerator<Job, void> {
  let page = await store.read.jobs.listEnded(before, { limit })
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield* page
    page = await store.read.jobs.listEnded(before, { limit, after: last })
  }
}

async function judge(needs: DeletionNeeds, job: Job): Promise<CleanedJob> {
  const plan = await planDeletion(needs, job, {})
  if (!plan.ok) return { job, bytes: 0, unlanded: [], kept: `it could not be examined: ${plan.failure.type}` }
  const { running, forks, undelivered, unlanded, missing, uncollected, bytes } = plan.value
  const kept = whyKept(
    {
      running,
      forks,
      missing,
      uncollected,
      ...(undelivered === undefined ? {} : { undelivered }),
      workingBranch: job.workingBranch,
      unlanded: unlanded.map(({ id, task, at }) => ({ name: task === undefined ? id : taskName(task), at })),
    },
    needs.clock.now(),
  )
  return { job, bytes, unlanded, ...(kept === undefined ? {} : { kept }) }
}

async function clean(needs: DeletionNeeds, judged: CleanedJob): Promise<CleanedJob> {
  const deleted = await deleteJob(needs, judged.job.id, { withPinnedWork: judged.unlanded.length > 0 })
  return deleted.ok ? judged : { ...judged, kept: `it could not be deleted: ${deleted.failure.type}` }
}
