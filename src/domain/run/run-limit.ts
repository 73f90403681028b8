import { dollars } from '../budget/dollars.ts'
import { activeMsOf, type Job } from '../job/job.ts'
import { isOutOfMoney, isOutOfTime } from '../job/reached-limit.ts'
import type { PlaybookLimits } from '../playbook/playbook.ts'
import type { Run } from './run.ts'

type Clocked = Pick<Run, 'activeMs' | 'runningSince'>

/** The limit that ends a run early, as a reason for a person; undefined while it may go on. */
export function reachedRunLimit(
  run: Clocked,
  { minutes, usd }: PlaybookLimits,
  job: Job,
  { spentUsd, now }: { readonly spentUsd: number; readonly now: Date },
): string | undefined {
  if (activeMsOf(run, now) >= minutes * 60_000)
    return `it took the ${minutes} minutes that its playbook allows`
  if (isOutOfTime(job, now)) return 'the job is out of time'
  if (usd !== undefined && spentUsd >= usd) return `it cost the ${dollars(usd)} that its playbook allows`
  return isOutOfMoney(job) ? 'the budget of the job is spent' : undefined
}

/** When a run is out of time if its clock keeps running; undefined while the clock stands still. */
export function runDeadline(run: Clocked, { minutes }: PlaybookLimits, job: Job): Date | undefined {
  if (run.runningSince === undefined) return undefined
  const own = run.runningSince.getTime() + minutes * 60_000 - run.activeMs
  const { timeLimitMinutes } = job.plan.limits
  if (timeLimitMinutes === undefined || job.runningSince === undefined) return new Date(own)
  const jobs = job.runningSince.getTime() + timeLimitMinutes * 60_000 - job.activeMs
  return new Date(Math.min(own, jobs))
}
