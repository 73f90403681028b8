import { dayOf } from '../../domain/budget/day.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'

/** Until when nothing of a job starts, because what all jobs may cost in a day is spent. */
export async function findDayLimit(
  records: Pick<Records, 'sessions'>,
  job: Pick<Job, 'plan'>,
  now: Date,
): Promise<Date | undefined> {
  const { dailyUsd } = job.plan.limits
  if (dailyUsd === undefined) return undefined
  const day = dayOf(now)
  return (await records.sessions.spentSince(day.start)) >= dailyUsd ? day.end : undefined
}
