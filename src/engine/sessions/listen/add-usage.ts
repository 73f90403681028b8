import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { Usage } from '../../../domain/session/conversation-state.ts'

const MOST_TOKENS = 1e12
const MOST_USD = 1e6

/** Adds reported usage to a session's total. Programs may report anything, so the numbers are bounded. */
export function addUsage(before: Usage, reported: Extract<AgentEvent, { type: 'usage' }>): Usage {
  return {
    inputTokens: sum(before.inputTokens, reported.inputTokens, MOST_TOKENS),
    outputTokens: sum(before.outputTokens, reported.outputTokens, MOST_TOKENS),
    costUsd: sum(before.costUsd, reported.costUsd ?? 0, MOST_USD),
  }
}

function sum(before: number, more: number, most: number): number {
  return Number.isFinite(more) && more > 0 ? Math.min(before + more, most) : before
}
