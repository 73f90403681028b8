import { BUDGET_WARNING_SHARE } from '../limits/job-defaults.ts'
import type { AttemptCost } from './attempt-costs.ts'
import { dollars } from './dollars.ts'

/** What a job has spent, and what its attempts are likely to cost. */
export type BudgetBalance = {
  /** Absent: there is no limit to what the job may cost. */
  readonly budgetUsd?: number
  readonly spentUsd: number
  /** What the running attempts are still expected to cost. */
  readonly reservedUsd: number
  /** What an attempt of a role has cost on average; absent while none has ended. */
  readonly meanUsd: ReadonlyMap<string, number>
}

/** Sums of prices are not exact; a budget that is used to the last cent is still kept. */
const ROUNDING = 1e-9

export function balanceOf(
  budgetUsd: number | undefined,
  spentUsd: number,
  attempts: readonly AttemptCost[],
): BudgetBalance {
  const meanUsd = meansOf(attempts.filter(({ isOver }) => isOver))
  const running = attempts.filter(({ isOver }) => !isOver)
  const reservedUsd = running.reduce(
    (sum, { role, costUsd }) => sum + Math.max(0, (meanUsd.get(role) ?? 0) - costUsd),
    0,
  )
  return { ...(budgetUsd === undefined ? {} : { budgetUsd }), spentUsd, reservedUsd, meanUsd }
}

/** Whether one more attempt of a role may start: what it is expected to cost must be left beside what runs. */
export function canAfford(balance: BudgetBalance, role: string): boolean {
  const { budgetUsd } = balance
  if (budgetUsd === undefined) return true
  if (isSpent(balance)) return false
  const each = balance.meanUsd.get(role) ?? 0
  return each === 0 || (budgetUsd - committedUsd(balance)) / each + ROUNDING >= 1
}

/** What is spent or kept back for attempts that run. */
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

/** Why nothing more starts: all of it is spent, or too little is left for one more attempt of the role. */
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
