import type { Refusal } from '../admission/refusal.ts'
import type { Job } from '../job/job.ts'
import type { CompletionReason } from '../job/job-state.ts'
import { jobPlace } from './event-place.ts'
import { builderOf } from './new-event.ts'
import { type StartRefusal, startRefusal } from './start-refusal.ts'

export type JobEvents = {
  readonly job_waiting: StartRefusal & { readonly role: string }
  readonly job_started: {
    readonly cycle: number
    readonly workingBranch: string
    readonly warnings?: readonly string[] | undefined
  }
  readonly job_paused: { readonly cycle: number }
  readonly job_resumed: { readonly cycle: number }
  readonly job_completed: {
    readonly cycles: number
    readonly totalTasks: number
    /** Tasks that failed or are blocked, and whose work no later task merged; absent if there are none. */
    readonly unlanded?: number | undefined
    readonly summary: string
    readonly reason: CompletionReason
    readonly evidence: readonly string[]
  }
  readonly job_cancelled: { readonly reason?: string }
  readonly job_error: { readonly error: string }
  /** The last event of a job: everything else about it is gone. */
  readonly job_deleted: { readonly workingBranch: string }
}

const event = builderOf<JobEvents>()

export function jobStarted(job: Job, warnings: readonly string[]) {
  const { currentCycle: cycle, workingBranch } = job
  return event('job_started', jobPlace(job), {
    cycle,
    workingBranch,
    warnings: warnings.length === 0 ? undefined : warnings,
  })
}

/** A limit keeps the job's planner from starting, or the limit changed. */
export function jobWaiting(job: Job, role: string, refusal: Refusal) {
  return event('job_waiting', jobPlace(job), { role, ...startRefusal(refusal) })
}

export function jobPaused(job: Job) {
  return event('job_paused', jobPlace(job), { cycle: job.currentCycle })
}

export function jobResumed(job: Job) {
  return event('job_resumed', jobPlace(job), { cycle: job.currentCycle })
}

export function jobCompleted(
  job: Job,
  end: Pick<JobEvents['job_completed'], 'totalTasks' | 'unlanded' | 'summary' | 'reason' | 'evidence'>,
) {
  return event('job_completed', jobPlace(job), { cycles: job.currentCycle, ...end })
}

export function jobCancelled(job: Job, reason: string | undefined) {
  return event('job_cancelled', jobPlace(job), reason === undefined ? {} : { reason })
}

export function jobDeleted(job: Job) {
  return event('job_deleted', { jobId: job.id }, { workingBranch: job.workingBranch })
}

export function jobFailed(job: Job, error: string) {
  return event('job_error', jobPlace(job), { error })
}
