import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import { numberAt, textAt } from './acp-message.ts'
import type { AcpState } from './acp-state.ts'
import { type AcpStep, changed, learnt } from './acp-step.ts'

/** Reports the size of the context and the cost of the conversation when either has changed. */
export function hearUsageUpdate(step: AcpStep, update: unknown): AcpStep {
  const before = step.state
  const next = changed(step, totalsIn(update))
  const costUsd = costBetween(before, next.state)
  if (next.state.contextTokens === before.contextTokens && costUsd === 0) return next
  return learnt(next, usageEvent(next.state, { inputTokens: 0, outputTokens: 0, costUsd }))
}

/** Stores the totals without reporting them, because an earlier process has reported those turns. */
export function hearOldUsage(step: AcpStep, update: unknown): AcpStep {
  return changed(step, totalsIn(update))
}

/** Reports the tokens in the result of a turn. */
export function reportTurnUsage(step: AcpStep, result: unknown): AcpStep {
  const usage = 'usage'
  const quota = ['_meta', 'quota', 'token_count'] as const
  const inputTokens =
    count(result, usage, 'inputTokens') +
      count(result, usage, 'cachedReadTokens') +
      count(result, usage, 'cachedWriteTokens') || count(result, ...quota, 'input_tokens')
  const outputTokens = count(result, usage, 'outputTokens') || count(result, ...quota, 'output_tokens')
  if (inputTokens === 0 && outputTokens === 0) return step
  return learnt(step, usageEvent(step.state, { inputTokens, outputTokens, costUsd: 0 }))
}

function totalsIn(update: unknown): Partial<AcpState> {
  const amount = numberAt(update, 'cost', 'amount')
  const isDollars = textAt(update, 'cost', 'currency') === 'USD'
  const contextTokens = count(update, 'used')
  const contextWindow = count(update, 'size')
  return {
    ...(isDollars && amount !== undefined && amount >= 0 ? { costUsd: amount } : {}),
    ...(contextTokens > 0 ? { contextTokens } : {}),
    ...(contextWindow > 0 ? { contextWindow } : {}),
  }
}

/**
 * The cost since the last total. A smaller total means that counting started again. The first total of a resumed
 * conversation includes the cost that earlier processes have reported, so it counts as 0.
 */
function costBetween(before: AcpState, after: AcpState): number {
  if (before.costUsd === undefined && before.isResumed) return 0
  // Removes floating-point noise.
  return Math.max(0, Number(((after.costUsd ?? 0) - (before.costUsd ?? 0)).toFixed(9)))
}

function usageEvent(
  state: AcpState,
  used: { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd: number },
): AgentEvent {
  const { costUsd, ...tokens } = used
  const { contextTokens, contextWindow } = state
  const cost = costUsd > 0 ? { costUsd } : {}
  return { type: 'usage', ...tokens, ...cost, ...withoutUndefined({ contextTokens, contextWindow }) }
}

function count(value: unknown, ...fields: readonly string[]): number {
  const found = numberAt(value, ...fields)
  return found !== undefined && Number.isSafeInteger(found) && found > 0 ? found : 0
}
