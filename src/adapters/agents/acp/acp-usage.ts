import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import { numberAt, textAt } from './acp-message.ts'
import type { AcpState } from './acp-state.ts'
import { type AcpStep, changed, learnt } from './acp-step.ts'

/** How full the context is and what the conversation has cost in all; told when either has changed. */
export function hearUsageUpdate(step: AcpStep, update: unknown): AcpStep {
  const before = step.state
  const next = changed(step, totalsIn(update))
  const costUsd = costBetween(before, next.state)
  if (next.state.contextTokens === before.contextTokens && costUsd === 0) return next
  return learnt(next, usageEvent(next.state, { inputTokens: 0, outputTokens: 0, costUsd }))
}

/** Takes the totals in without telling them: they are those of turns that were told in an earlier life. */
export function hearOldUsage(step: AcpStep, update: unknown): AcpStep {
  return changed(step, totalsIn(update))
}

/** The tokens of a turn, as its answer tells them. */
export function tellTurnUsage(step: AcpStep, result: unknown): AcpStep {
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
 * A total that became smaller is of a new count: what went before it was told. The first total of a conversation
 * that was gone on with holds all that was told in its earlier lives, and cannot be parted from it.
 */
function costBetween(before: AcpState, after: AcpState): number {
  if (before.costUsd === undefined && before.isResumed) return 0
  // Sums of fractions: the last digits of a difference are noise.
  return Math.max(0, Number(((after.costUsd ?? 0) - (before.costUsd ?? 0)).toFixed(9)))
}

function usageEvent(
  state: AcpState,
  used: { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd: number },
): AgentEvent {
  const { costUsd, ...tokens } = used
  return {
    type: 'usage',
    ...tokens,
    ...(costUsd > 0 ? { costUsd } : {}),
    ...(state.contextTokens === undefined ? {} : { contextTokens: state.contextTokens }),
    ...(state.contextWindow === undefined ? {} : { contextWindow: state.contextWindow }),
  }
}

function count(value: unknown, ...fields: readonly string[]): number {
  const found = numberAt(value, ...fields)
  return found !== undefined && Number.isSafeInteger(found) && found > 0 ? found : 0
}
