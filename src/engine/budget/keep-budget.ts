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
 * Says once that the budget is nearly used up, and once that it is; then the job's agents are stopped. `idleFor` is
 * the role the job would start next while nothing of it runs: when not even that can be paid, it is used up too.
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
    return tell(needs, records, job, { ...balance, budgetUsd }, 'reached', isStuck ? idleFor : undefined)
  }
  return isNearlySpent(balance) ? tell(needs, records, job, { ...balance, budgetUsd }, 'warned') : job
}

/** Why something was stopped. */
function budgetWords(job: Job): string {
  return `the budget of ${dollars(job.plan.limits.budgetUsd ?? 0)} was reached`
}

async function tell(
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

/** Checks cost nothing and go on: what is done by then may still land. */
async function stopSpending(needs: Needs, records: Records, job: Job): Promise<void> {
  for (const session of await records.sessions.listLive(job.id)) {
    if (!rulesOf(session).costs || session.state.type === 'terminating') continue
    await storeStop(needs, records, session, { type: 'cancelled', reason: budgetWords(job) })
  }
}
