import { activeMsOf, type Job } from '../job/job.ts'

/** How long an attempt that starts now may run: its own time, and no more than its job has left. */
export function attemptTimeMs(job: Job, now: Date): number {
  const { attemptMinutes, timeLimitMinutes } = job.plan.limits
  const own = attemptMinutes * 60_000
  if (timeLimitMinutes === undefined) return own
  return Math.min(own, Math.max(0, timeLimitMinutes * 60_000 - activeMsOf(job, now)))
}
