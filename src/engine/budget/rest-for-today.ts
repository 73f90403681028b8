import { dayBudgetReached } from '../../domain/event/budget-events.ts'
import type { JobId } from '../../domain/id.ts'
import { nextJobState } from '../../domain/job/next-job-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { SpentDay } from './day-limit.ts'

/** Says, once for each day, that a job of which nothing runs starts nothing more before midnight. */
export async function restForToday(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  jobId: JobId,
  { until, spentUsd, dailyUsd }: SpentDay,
): Promise<void> {
  // Looked at again: the step before this may have changed it.
  const job = await records.jobs.find(jobId)
  if (job?.state.type !== 'running' || job.state.restsUntil === until.toISOString()) return
  const state = nextJobState(job.state, { type: 'day-spent', until: until.toISOString() })
  if (!state.ok) return
  await records.jobs.save(
    { ...job, state: state.value, updatedAt: needs.clock.now() },
    {
      audit: {
        actor: 'engine',
        action: 'day-spent',
        subject: job.id,
        detail: { budgetUsd: dailyUsd, spentUsd },
      },
      events: [dayBudgetReached(job, { until, spentUsd, budgetUsd: dailyUsd })],
    },
  )
}
