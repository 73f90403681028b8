import { BUDGET_WARNING_SHARE } from '../limits/budget-limits.ts'
import type { AttemptCost } from './attempt-costs.ts'
import { dollars } from './dollars.ts'

/** What a job has spent, and what its attempts are expected to cost. */
export type BudgetBalance = {
  /** Absent: the job has no budget. */
  readonly budgetUsd?: number
  readonly spentUsd: number
  /** What the running attempts are still expected to cost. */
  readonly reservedUsd: number
  /** The average cost of an attempt by role; absent until one has ended. */
  readonly meanUsd: ReadonlyMap<string, number>
}

/** Tolerates rounding in sums of prices, so a budget can be used to the last cent. */
const ROUNDING = 1e-9

export function balanceOf(
  budgetUsd: number | undefined,
  spentUsd: number,
  attempts: readonly AttemptCost[],
): BudgetBalance {
  const meanUsd = meansOf(attempts.filter(({ isFinished }) => isFinished))
  const running = attempts.filter(({ isFinished }) => !isFinished)
  const reservedUsd = running.reduce(
    (sum, { role, costUsd }) => sum + Math.max(0, (meanUsd.get(role) ?? 0) - costUsd),
    0,
  )
  return { ...(budgetUsd === undefined ? {} : { budgetUsd }), spentUsd, reservedUsd, meanUsd }
}

/** Whether one more attempt of a role may start: its expected cost must be left after what running ones need. */
export function canAfford(balance: BudgetBalance, role: string): boolean {
  const { budgetUsd } = balance
  if (budgetUsd === undefined) return true
  if (isSpent(balance)) return false
  const each = balance.meanUsd.get(role) ?? 0
  return each === 0 || (budgetUsd - committedUsd(balance)) / each + ROUNDING >= 1
}

/** What is spent, or reserved for running attempts. */
export function committedUsd({ spentUsd, reservedUsd }: BudgetBalance): number {
  return spentUsd + reservedUsd
}

/** The balance once one more attempt of a role has started. */
export function withReserved(balance: BudgetBalance, role: string): BudgetBalance {
  return { ...balance, reservedUsd: balance.reservedUsd + (balance.meanUsd.get(role) ?? 0) }
}

export function isSpent({ budgetUsd, spentUsd }: BudgetBalance): boolean {
  return budgetUsd !== undefined && spentUsd >= budgetUsd
}

export function isNearlySpent({ budgetUsd, spentUsd }: BudgetBalance): boolean {
  return budgetUsd !== undefined && spentUsd >= budgetUsd * BUDGET_WARNING_SHARE
}

/** Why nothing more starts: the budget is spent, or too little is left for one more attempt of the role. */
export function whyUnpaid(balance: BudgetBalance, role: string): string {
  const { budgetUsd = 0, spentUsd } = balance
  const each = balance.meanUsd.get(role) ?? 0
  const reached = `the budget of ${dollars(budgetUsd)} was reached`
  if (isSpent(balance) || each === 0) return reached
  return `${reached}: ${dollars(budgetUsd - spentUsd)} is left, and an attempt costs ${dollars(each)} on average`
}

function meansOf(attempts: readonly AttemptCost[]): ReadonlyMap<string, number> {
  const roles = new Set(attempts.map(({ role }) => role))
  return new Map([...roles].map((role) => [role, meanOf(attempts.filter((cost) => cost.role === role))]))
}

function meanOf(attempts: readonly AttemptCost[]): number {
  return attempts.reduce((sum, { costUsd }) => sum + costUsd, 0) / attempts.length
}
