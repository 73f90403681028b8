import { RECOVERY_LIMITS } from '../limits/recovery-limits.ts'
import { SESSION_LIMITS } from '../limits/session-limits.ts'
import type { RecoverAction, RecoverPolicy, VisitTrouble } from '../playbook/playbook.ts'
import type { GiveUpCause } from './trouble-action.ts'
import type { RecoveryCounts } from './visit.ts'

/**
 * What is tried about each trouble, in this order, unless the playbook has its own list. Each entry is tried once on a
 * visit.
 */
export const RECOVERY_ACTIONS: Readonly<Record<VisitTrouble, readonly RecoverAction[]>> = {
  crashed: ['restart', 'restart', 'substitute'],
  timeout: ['nudge', 'restart', 'substitute'],
  // Without a substitute, a person can help. With one, three tries are used up by then, and the outcome is `failed`.
  invalid: ['ask-again', 'ask-again', 'substitute', 'escalate'],
  quota: ['park', 'substitute'],
  unstartable: ['restart', 'substitute'],
  uncollected: ['restart', 'restart'],
}

/** How often each action was taken, on the visit and in the whole run. Waits for quota are only counted on the visit. */
export type RecoveriesUsed = {
  readonly onVisit: RecoveryCounts
  /** Those that cost a try, on all visits of the run. */
  readonly inRun: number
}

export const NO_RECOVERIES: RecoveriesUsed = { onVisit: {}, inRun: 0 }

export type RecoveryDecision =
  /** Tells the agent what is wrong with its answer: in its conversation, if its program can continue it. */
  | { readonly type: 'ask-again' }
  /** Asks the agent to finish; it is in trouble again if it hasn't after a while. */
  | { readonly type: 'nudge' }
  /** Starts the program of the same agent again, with the same task, where the visit started. */
  | { readonly type: 'restart'; readonly afterMs: number }
  /** Gives the visit to another agent of the role. */
  | { readonly type: 'substitute'; readonly afterMs: number; readonly to: string }
  /** Waits for this long, and then continues as if nothing had happened. */
  | { readonly type: 'park'; readonly afterMs: number }
  /** Asks a person. */
  | { readonly type: 'escalate' }
  /** Ends the run as failed. */
  | { readonly type: 'abort' }
  /** Nothing is left to do: the outcome of the visit is `failed`. */
  | { readonly type: 'give-up'; readonly because: GiveUpCause }

export type RecoverySituation = {
  readonly used: RecoveriesUsed
  /** The agent that would take the visit over; absent if nobody is left who may. */
  readonly substitute?: string | undefined
  /** Whether a person may be asked. */
  readonly canAsk: boolean
  /** Whether the agent is still in a conversation, in which it can be asked to finish. */
  readonly canNudge: boolean
  /** Whether its agent could work if it were started again; absent: yes. */
  readonly canRestart?: boolean
  /** The time until the agent has quota again, if it is known. */
  readonly quotaMs?: number
  /** From 0 to 1, chosen at random. */
  readonly random: number
}

/**
 * What is done about a visit in trouble. Every answer but waiting for quota costs one of the tries that the visit and the
 * run have, and waiting for quota is limited too, so each visit ends.
 */
export function recoveryFor(
  trouble: VisitTrouble,
  policy: RecoverPolicy,
  situation: RecoverySituation,
): RecoveryDecision {
  const { used } = situation
  const actions = policy.actions[trouble] ?? RECOVERY_ACTIONS[trouble]
  const next = nextAction(
    trouble,
    actions.filter((action) => isPossible(action, situation)),
    used,
  )
  if (next === undefined) return { type: 'give-up', because: 'actions' }
  if (costsTry(next)) {
    if (triesOn(used) >= policy.perVisit) return { type: 'give-up', because: 'visit' }
    if (used.inRun >= policy.perRun) return { type: 'give-up', because: 'run' }
  }
  return decisionFor(trouble, next, situation)
}

/** The counts after a decision was carried out. */
export function withRecovery(used: RecoveriesUsed, { type }: Pick<RecoveryDecision, 'type'>): RecoveriesUsed {
  if (type === 'give-up') return used
  return {
    onVisit: { ...used.onVisit, [type]: (used.onVisit[type] ?? 0) + 1 },
    inRun: used.inRun + (costsTry(type) ? 1 : 0),
  }
}

/** Waiting is nobody's fault, and aborting isn't a try. */
function costsTry(action: RecoverAction): boolean {
  return action !== 'park' && action !== 'abort'
}

function triesOn({ onVisit }: RecoveriesUsed): number {
  return Object.entries(onVisit).reduce(
    (sum, [action, count]) => sum + (costsTry(action as RecoverAction) ? count : 0),
    0,
  )
}

/** The first entry of the list that wasn't tried on this visit, about this trouble or another. */
function nextAction(
  trouble: VisitTrouble,
  actions: readonly RecoverAction[],
  { onVisit }: RecoveriesUsed,
): RecoverAction | undefined {
  const next = actions.find((action, index) => {
    const earlier = actions.slice(0, index).filter((other) => other === action).length
    return earlier >= (onVisit[action] ?? 0)
  })
  if (next !== undefined) return next
  const canWait = trouble === 'quota' && actions.includes('park')
  return canWait && (onVisit.park ?? 0) < RECOVERY_LIMITS.quotaWaits ? 'park' : undefined
}

function isPossible(
  action: RecoverAction,
  { substitute, canAsk, canNudge, canRestart = true }: RecoverySituation,
): boolean {
  if (action === 'restart') return canRestart
  if (action === 'substitute') return substitute !== undefined
  if (action === 'escalate') return canAsk
  return action === 'nudge' ? canNudge : true
}

function decisionFor(
  trouble: VisitTrouble,
  action: RecoverAction,
  { used, random, quotaMs, substitute = '' }: RecoverySituation,
): RecoveryDecision {
  switch (action) {
    case 'restart':
      return { type: action, afterMs: backOff(triesOn(used) + 1, random) }
    // What stopped the last program may stop the next; a useless answer is only its own agent's fault.
    case 'substitute': {
      const afterMs = trouble === 'invalid' ? 0 : backOff(triesOn(used) + 1, random)
      return { type: action, afterMs, to: substitute }
    }
    case 'park': {
      const afterMs = trouble === 'quota' ? quotaWait(quotaMs) : backOff((used.onVisit.park ?? 0) + 1, random)
      return { type: action, afterMs }
    }
    case 'ask-again':
    case 'nudge':
    case 'escalate':
    case 'abort':
      return { type: action }
  }
}

/** The wait before the nth try. */
function backOff(nth: number, random: number): number {
  const { firstWaitMs, mostWaitMs, jitterShare } = RECOVERY_LIMITS
  const wait = Math.min(firstWaitMs * 2 ** (nth - 1), mostWaitMs)
  return Math.round(wait * (1 + jitterShare * random))
}

/** As long as a session waits that is out of quota. */
function quotaWait(quotaMs = SESSION_LIMITS.quotaMinutes * 60_000): number {
  return Math.min(Math.max(quotaMs, SESSION_LIMITS.leastQuotaMs), SESSION_LIMITS.mostQuotaMs)
}
