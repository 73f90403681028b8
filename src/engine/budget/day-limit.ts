import { dayOf } from '../../domain/budget/day.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'

/** What all jobs may cost in a day, when it is spent; until `until` nothing of this job starts. */
export type SpentDay = { readonly until: Date; readonly spentUsd: number; readonly dailyUsd: number }

export async function findSpentDay(
  records: Pick<Records, 'sessions'>,
  job: Pick<Job, 'plan'>,
  now: Date,
): Promise<SpentDay | undefined> {
  const { dailyUsd } = job.plan.limits
  if (dailyUsd === undefined) return undefined
  const day = dayOf(now)
  const spentUsd = await records.sessions.spentSince(day.start)
  return spentUsd >= dailyUsd ? { until: day.end, spentUsd, dailyUsd } : undefined
}
