import { dayOf } from '../../domain/budget/day.ts'
import { dayBudgetReached } from '../../domain/event/budget-events.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextJobState } from '../../domain/job/next-job-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** If the daily limit of all jobs is spent, reports once a day that an idle job starts nothing before midnight. */
export async function parkForToday(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  { id, plan }: Job,
): Promise<void> {
  const { dailyUsd: budgetUsd } = plan.limits
  if (budgetUsd === undefined) return
  const now = needs.clock.now()
  const { start, end: until } = dayOf(now)
  const spentUsd = await records.sessions.spentSince(start)
  if (spentUsd < budgetUsd) return
  // Read again, because the previous step may have changed the job.
  const job = await records.jobs.find(id)
  if (job?.state.type !== 'running' || job.state.restsUntil === until.toISOString()) return
  const state = nextJobState(job.state, { type: 'day-spent', until: until.toISOString() })
  if (!state.ok) return
  await records.jobs.save(
    { ...job, state: state.value, updatedAt: now },
    {
      audit: { actor: 'engine', action: 'day-spent', subject: id, detail: { budgetUsd, spentUsd } },
      events: [dayBudgetReached(job, { until, spentUsd, budgetUsd })],
    },
  )
}
