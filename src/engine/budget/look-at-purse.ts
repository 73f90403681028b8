import { attemptCosts } from '../../domain/budget/attempt-costs.ts'
import { type Purse, purseOf } from '../../domain/budget/purse.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'

/** What a job may still spend, as far as its programs tell what they cost. Asks nothing where there is no budget. */
export async function lookAtPurse(records: Records, job: Job): Promise<Purse> {
  const { budgetUsd } = job.plan.limits
  if (budgetUsd === undefined) return purseOf(undefined, 0, [])
  const [spentUsd, sessions] = [
    await records.sessions.spentBy(job.id),
    await records.sessions.listOfJob(job.id),
  ]
  return purseOf(budgetUsd, spentUsd, attemptCosts(sessions))
}
