import type { BudgetBalance } from '../budget/budget-balance.ts'
import type { Job } from '../job/job.ts'
import { jobPlace } from './event-place.ts'
import { builderOf } from './new-event.ts'

type Spending = { readonly budgetUsd: number; readonly spentUsd: number }

export type BudgetEvents = {
  readonly budget_warned: Spending & { readonly meanUsd: Readonly<Record<string, number>> }
  readonly budget_reached: Spending & {
    /** The average cost of an attempt by role. */
    readonly meanUsd?: Readonly<Record<string, number>> | undefined
    /** The role whose next attempt would cost more than is left. */
    readonly role?: string | undefined
    /** This is the daily budget of all jobs; nothing new starts before `until`. */
    readonly day?: boolean | undefined
    readonly until?: string | undefined
  }
}

const event = builderOf<BudgetEvents>()

type Budget = BudgetBalance & { readonly budgetUsd: number }

export function budgetWarned(job: Job, balance: Budget) {
  return event('budget_warned', jobPlace(job), spendingOf(balance))
}

export function budgetReached(job: Job, balance: Budget, role: string | undefined) {
  return event('budget_reached', jobPlace(job), { ...spendingOf(balance), role })
}

export function dayBudgetReached(job: Job, spending: Spending & { readonly until: Date }) {
  const { budgetUsd, spentUsd, until } = spending
  return event('budget_reached', jobPlace(job), {
    day: true,
    until: until.toISOString(),
    spentUsd,
    budgetUsd,
  })
}

function spendingOf({ budgetUsd, spentUsd, meanUsd }: Budget) {
  return { budgetUsd, spentUsd, meanUsd: Object.fromEntries(meanUsd) }
}
