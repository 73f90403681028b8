import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { Usage } from '../../../domain/session/talk.ts'

const MOST_TOKENS = 1e12
const MOST_USD = 1e6

/** What a session has used with this added to it. A program tells what it used, and may tell anything. */
export function addUsage(before: Usage, told: Extract<AgentEvent, { type: 'usage' }>): Usage {
  return {
    inputTokens: sum(before.inputTokens, told.inputTokens, MOST_TOKENS),
    outputTokens: sum(before.outputTokens, told.outputTokens, MOST_TOKENS),
    costUsd: sum(before.costUsd, told.costUsd ?? 0, MOST_USD),
  }
}

function sum(before: number, more: number, most: number): number {
  return Number.isFinite(more) && more > 0 ? Math.min(before + more, most) : before
}
