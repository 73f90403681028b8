import { BUDGET_WARNING_SHARE } from '../limits/job-defaults.ts'
import type { AttemptCost } from './attempt-costs.ts'
import { dollars } from './dollars.ts'

/** What a job has spent, and what its attempts are likely to cost. */
export type Purse = {
  /** Absent: there is no limit to what the job may cost. */
  readonly budgetUsd?: number
  readonly spentUsd: number
  /** What is still to be expected of the attempts that run. */
  readonly reservedUsd: number
  /** What an attempt of a role has cost on average; absent while none has ended. */
  readonly meanUsd: ReadonlyMap<string, number>
}

/** Sums of prices are not exact; a budget that is used to the last cent is still kept. */
const ROUNDING = 1e-9

export function purseOf(
  budgetUsd: number | undefined,
  spentUsd: number,
  attempts: readonly AttemptCost[],
): Purse {
  const meanUsd = meansOf(attempts.filter(({ isOver }) => isOver))
  const running = attempts.filter(({ isOver }) => !isOver)
  const reservedUsd = running.reduce(
    (sum, { role, costUsd }) => sum + Math.max(0, (meanUsd.get(role) ?? 0) - costUsd),
    0,
  )
  return { ...(budgetUsd === undefined ? {} : { budgetUsd }), spentUsd, reservedUsd, meanUsd }
}

/** How many attempts of a role may start: what each is expected to cost must be left beside what runs. */
export function affordableAttempts(purse: Purse, role: string): number {
  const { budgetUsd, spentUsd, reservedUsd } = purse
  if (budgetUsd === undefined) return Number.POSITIVE_INFINITY
  if (spentUsd >= budgetUsd) return 0
  const each = purse.meanUsd.get(role) ?? 0
  if (each === 0) return Number.POSITIVE_INFINITY
  return Math.max(0, Math.floor((budgetUsd - spentUsd - reservedUsd) / each + ROUNDING))
}

export function isSpent({ budgetUsd, spentUsd }: Purse): boolean {
  return budgetUsd !== undefined && spentUsd >= budgetUsd
}

export function isNearlySpent({ budgetUsd, spentUsd }: Purse): boolean {
  return budgetUsd !== undefined && spentUsd >= budgetUsd * BUDGET_WARNING_SHARE
}

/** Why nothing more starts: all of it is spent, or too little is left for one more attempt of the role. */
export function whyUnpaid(purse: Purse, role: string): string {
  const { budgetUsd = 0, spentUsd } = purse
  const each = purse.meanUsd.get(role) ?? 0
  const reached = `the budget of ${dollars(budgetUsd)} was reached`
  if (isSpent(purse) || each === 0) return reached
  return `${reached}: ${dollars(budgetUsd - spentUsd)} is left, and an attempt costs ${dollars(each)} on average`
}

function meansOf(attempts: readonly AttemptCost[]): ReadonlyMap<string, number> {
  const roles = new Set(attempts.map(({ role }) => role))
  return new Map([...roles].map((role) => [role, meanOf(attempts.filter((cost) => cost.role === role))]))
}

function meanOf(attempts: readonly AttemptCost[]): number {
  return attempts.reduce((sum, { costUsd }) => sum + costUsd, 0) / attempts.length
}
