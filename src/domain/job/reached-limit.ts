import { activeMsOf, type Job } from './job.ts'
import type { CompletionReason } from './job-state.ts'

/** The limit, if any, that keeps a job from beginning another cycle. */
export function reachedLimit(job: Job, cycles: number, now: Date): CompletionReason | undefined {
  const { maxCycles } = job.plan.limits
  if (maxCycles !== undefined && cycles >= maxCycles) return 'max-cycles-reached'
  if (isOutOfTime(job, now)) return 'time-limit-reached'
  return isOutOfMoney(job) ? 'budget-reached' : undefined
}

export function isOutOfTime(job: Job, now: Date): boolean {
  const limit = job.plan.limits.timeLimitMinutes
  return limit !== undefined && activeMsOf(job, now) >= limit * 60_000
}

/** Once its budget has run out, a job starts nothing more, whatever its programs report later. */
export function isOutOfMoney(job: Job): boolean {
  return job.budgetNotice === 'reached'
}
