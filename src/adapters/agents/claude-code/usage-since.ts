import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { ClaudeCodeState } from './claude-code-state.ts'
import { contextFields } from './context-window.ts'
import { countIn, type Fields, fieldsOf, isFields } from './json-fields.ts'

type Used = { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd?: number }

/** The usage since the last result; undefined if there was none. */
export function usageSince(state: ClaudeCodeState, result: Fields): AgentEvent | undefined {
  const perModel = result['model_usage_since_last_result']
  const used = isFields(perModel) ? sumOf(perModel) : usedByTurn(state, result)
  if (used.inputTokens === 0 && used.outputTokens === 0 && (used.costUsd ?? 0) === 0) return undefined
  return { type: 'usage', ...used, ...contextFields(state) }
}

/** The cost of the whole conversation as a result reports it, including earlier processes. */
export function costIn(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0
}

/** The sum over all models, including those of subagents. */
function sumOf(perModel: Fields): Used {
  const entries = Object.values(perModel).map(fieldsOf)
  return {
    inputTokens: sum(entries.map((entry) => inputOf(entry, MODEL_FIELDS))),
    outputTokens: sum(entries.map((entry) => countIn(entry['outputTokens']))),
    costUsd: rounded(sum(entries.map((entry) => costIn(entry['costUSD'])))),
  }
}

/** Older versions report the tokens of the turn, but the cost only as a running total. */
function usedByTurn(state: ClaudeCodeState, result: Fields): Used {
  const usage = fieldsOf(result['usage'])
  const tokens = {
    inputTokens: inputOf(usage, TURN_FIELDS),
    outputTokens: countIn(usage['output_tokens']),
  }
  // The earlier cost of a resumed conversation is unknown until the first report.
  if (state.costUsd === undefined) return tokens
  const costUsd = costIn(result['total_cost_usd'])
  // A smaller total means that counting started again.
  const before = costUsd < state.costUsd ? 0 : state.costUsd
  return { ...tokens, costUsd: rounded(costUsd - before) }
}

const MODEL_FIELDS = ['inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'] as const
export const TURN_FIELDS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

/** All input tokens, cached or not. */
export function inputOf(usage: Fields, fields: readonly string[]): number {
  return sum(fields.map((field) => countIn(usage[field])))
}

/** Removes floating-point noise. */
function rounded(costUsd: number): number {
  return Number(costUsd.toFixed(9))
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
