import { dollars } from '../budget/dollars.ts'
import { activeMsOf, type Job } from '../job/job.ts'
import { isOutOfMoney, isOutOfTime } from '../job/reached-limit.ts'
import type { PlaybookLimits } from '../playbook/playbook.ts'
import type { Run } from './run.ts'

type Clocked = Pick<Run, 'activeMs' | 'runningSince'>

/** What ends a run early, with the reason for a person. */
export type ReachedRunLimit = { readonly type: 'time' | 'money'; readonly reason: string }

/** The limit that ends a run early; undefined while it may go on. */
export function reachedRunLimit(
  run: Clocked,
  { minutes, usd }: PlaybookLimits,
  job: Job,
  { spentUsd, now }: { readonly spentUsd: number; readonly now: Date },
): ReachedRunLimit | undefined {
  const time = (reason: string) => ({ type: 'time', reason }) as const
  const money = (reason: string) => ({ type: 'money', reason }) as const
  if (activeMsOf(run, now) >= minutes * 60_000)
    return time(`it took the ${minutes} minutes that its playbook allows`)
  if (isOutOfTime(job, now)) return time('the job is out of time')
  if (usd !== undefined && spentUsd >= usd)
    return money(`it cost the ${dollars(usd)} that its playbook allows`)
  return isOutOfMoney(job) ? money('the budget of the job is spent') : undefined
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
