import { RECOVERY_LIMITS } from '../limits/recovery-limits.ts'
import type { RecoverAction } from '../playbook/playbook.ts'
import { ERROR_CODES, type ErrorCode, type ErrorRule, type Strategy } from './error-code.ts'
import { RECOVERY_RULES } from './recovery-for.ts'

const STRATEGY_OF: Readonly<Record<RecoverAction, Strategy>> = {
  'ask-again': 'retry',
  nudge: 'retry',
  park: 'retry',
  restart: 'restart',
  substitute: 'substitute',
  escalate: 'escalate',
  abort: 'abort',
}

export type ErrorAnswer = {
  readonly strategy: Strategy
  /** How often it is tried on one visit. */
  readonly attempts: number
  /** What follows, in this order. */
  readonly fallbacks: readonly Strategy[]
}

/** How a code is answered unless the playbook says otherwise; undefined if no run can have it. */
export function answerTo(code: ErrorCode): ErrorAnswer | undefined {
  const rule: ErrorRule = ERROR_CODES[code]
  if ('never' in rule) return undefined
  if (!('trouble' in rule)) return { strategy: rule.strategy, attempts: 1, fallbacks: [] }
  const strategies = RECOVERY_RULES[rule.trouble].actions.map((action) => STRATEGY_OF[action])
  const [first = 'skip'] = strategies
  const listed = strategies.filter((strategy) => strategy === first).length
  const attempts = rule.trouble === 'quota' ? RECOVERY_LIMITS.quotaWaits : listed
  const fallbacks = [...new Set(strategies.filter((strategy) => strategy !== first))]
  return { strategy: rule.strategy ?? first, attempts, fallbacks: [...fallbacks, 'skip'] }
}
