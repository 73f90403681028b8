import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import type { ClaudeCodeState } from './claude-code-state.ts'
import { countIn, type Fields, fieldsOf, isFields } from './json-fields.ts'

type Used = { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd?: number }

/** What was used since the last result, when that is anything. */
export function usageSince(state: ClaudeCodeState, result: Fields): AgentEvent | undefined {
  const perModel = result['model_usage_since_last_result']
  const used = isFields(perModel) ? sumOf(perModel) : usedByTurn(state, result)
  if (used.inputTokens === 0 && used.outputTokens === 0 && (used.costUsd ?? 0) === 0) return undefined
  return { type: 'usage', ...used, ...contextIn(state, fieldsOf(result['modelUsage'])) }
}

/** What the whole conversation has cost according to a result; earlier processes of it are included. */
export function costIn(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : 0
}

/** Over all models, those of the agent's helpers too. */
function sumOf(perModel: Fields): Used {
  const entries = Object.values(perModel).map(fieldsOf)
  return {
    inputTokens: sum(entries.map((entry) => inputOf(entry, MODEL_FIELDS))),
    outputTokens: sum(entries.map((entry) => countIn(entry['outputTokens']))),
    costUsd: rounded(sum(entries.map((entry) => costIn(entry['costUSD'])))),
  }
}

/** Older programs tell the tokens of the turn, and the cost only as a sum. */
function usedByTurn(state: ClaudeCodeState, result: Fields): Used {
  const usage = fieldsOf(result['usage'])
  const tokens = {
    inputTokens: inputOf(usage, TURN_FIELDS),
    outputTokens: countIn(usage['output_tokens']),
  }
  // What a resumed conversation had cost before is not known until it is told once.
  if (state.costUsd === undefined) return tokens
  const costUsd = costIn(result['total_cost_usd'])
  // A sum that shrank began anew.
  const before = costUsd < state.costUsd ? 0 : state.costUsd
  return { ...tokens, costUsd: rounded(costUsd - before) }
}

function contextIn(
  state: ClaudeCodeState,
  models: Fields,
): { readonly contextTokens?: number; readonly contextWindow?: number } {
  const { context } = state
  if (context === undefined) return {}
  // Variants of a model have a suffix here that the answer's own name lacks.
  const name = Object.keys(models).find((key) => key.startsWith(context.model))
  const window = name === undefined ? 0 : countIn(fieldsOf(models[name])['contextWindow'])
  return { contextTokens: context.tokens, ...(window === 0 ? {} : { contextWindow: window }) }
}

const MODEL_FIELDS = ['inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'] as const
export const TURN_FIELDS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const

/** All that the model read, whether it was cached or not. */
export function inputOf(usage: Fields, fields: readonly string[]): number {
  return sum(fields.map((field) => countIn(usage[field])))
}

/** The last digits of a computation with fractions are noise. */
function rounded(costUsd: number): number {
  return Number(costUsd.toFixed(9))
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
