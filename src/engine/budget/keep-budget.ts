import { type BudgetBalance, canAfford, isNearlySpent, isSpent } from '../../domain/budget/budget-balance.ts'
import { dollars } from '../../domain/budget/dollars.ts'
import { budgetReached, budgetWarned } from '../../domain/event/budget-events.ts'
import type { Job } from '../../domain/job/job.ts'
import { rulesOf } from '../../domain/session/session-purpose.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeStop } from '../sessions/end/stop-session.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'settings'>
type Notice = NonNullable<Job['budgetNotice']>

/**
 * Reports once that the budget is nearly spent, and once that it is spent, which also stops the job's agents.
 * `idleFor` is the role that the job would start next, if nothing of it is running. If the rest of the budget does
 * not pay for that, the budget counts as spent too.
 */
export async function keepBudget(
  needs: Needs,
  records: Records,
  job: Job,
  balance: BudgetBalance,
  idleFor?: string,
): Promise<Job> {
  const { budgetUsd } = balance
  if (budgetUsd === undefined) return job
  const isStuck = idleFor !== undefined && !canAfford(balance, idleFor)
  if (isSpent(balance)) await stopSpending(needs, records, job)
  if (isSpent(balance) || isStuck) {
    return report(needs, records, job, { ...balance, budgetUsd }, 'reached', isStuck ? idleFor : undefined)
  }
  return isNearlySpent(balance) ? report(needs, records, job, { ...balance, budgetUsd }, 'warned') : job
}

function budgetReason(job: Job): string {
  return `the budget of ${dollars(job.plan.limits.budgetUsd ?? 0)} was reached`
}

async function report(
  needs: Needs,
  records: Records,
  job: Job,
  balance: BudgetBalance & { readonly budgetUsd: number },
  notice: Notice,
  role?: string,
): Promise<Job> {
  if (job.budgetNotice === notice || job.budgetNotice === 'reached') return job
  const { budgetUsd, spentUsd } = balance
  return await records.jobs.save(
    { ...job, budgetNotice: notice, updatedAt: needs.clock.now() },
    {
      audit: {
        actor: 'engine',
        action: `budget-${notice}`,
        subject: job.id,
        detail: { budgetUsd, spentUsd },
      },
      events: [notice === 'warned' ? budgetWarned(job, balance) : budgetReached(job, balance, role)],
    },
  )
}

/** Stops the job's agents. Checks cost nothing and continue, so finished work can still land. */
async function stopSpending(needs: Needs, records: Records, job: Job): Promise<void> {
  for (const session of await records.sessions.listLive(job.id)) {
    if (!rulesOf(session).costs || session.state.type === 'terminating') continue
    await storeStop(needs, records, session, { type: 'cancelled', reason: budgetReason(job) })
  }
}
