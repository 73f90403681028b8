import { attemptCosts } from '../../domain/budget/attempt-costs.ts'
import { type BudgetBalance, balanceOf } from '../../domain/budget/budget-balance.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'

/** What a job may still spend, as far as its programs report their cost. Reads nothing if there is no budget. */
export async function loadBalance(records: Records, job: Job): Promise<BudgetBalance> {
  const { budgetUsd } = job.plan.limits
  if (budgetUsd === undefined) return balanceOf(undefined, 0, [])
  const [spentUsd, sessions] = [
    await records.sessions.spentBy(job.id),
    await records.sessions.listOfJob(job.id),
  ]
  return balanceOf(budgetUsd, spentUsd, attemptCosts(sessions))
}
