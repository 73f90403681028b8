import type { ModelSource } from '../../../domain/agent/agent-spec.ts'

export type TokenUsage = { readonly inputTokens: number; readonly outputTokens: number }
type Price = { readonly input: number; readonly output: number }

/** Services charge a different price for more input tokens than this. */
const LONG_INPUT = 200_000

/** List prices of standard calls in dollars per million tokens, November 2026. */
const LISTED: Readonly<Record<string, Readonly<Record<string, Price>>>> = {
  anthropic: {
    'claude-fable-5-2': { input: 8, output: 40 },
    'claude-fable-5-1': { input: 10, output: 50 },
    'claude-opus-5-5': { input: 4, output: 20 },
    'claude-opus-5': { input: 5, output: 25 },
    'claude-opus-4-8': { input: 5, output: 25 },
    'claude-opus-4-7': { input: 5, output: 25 },
    'claude-opus-4-6': { input: 5, output: 25 },
    'claude-opus-4-5': { input: 5, output: 25 },
    'claude-sonnet-5-5': { input: 2, output: 10 },
    'claude-sonnet-5': { input: 2, output: 10 },
    'claude-sonnet-4-6': { input: 3, output: 15 },
    'claude-sonnet-4-5': { input: 3, output: 15 },
    'claude-haiku-4-5': { input: 1, output: 5 },
  },
  openai: {
    'gpt-6.1-sol': { input: 2, output: 10 },
    'gpt-6.1-terra': { input: 1, output: 5 },
    'gpt-6-sol': { input: 2, output: 10 },
    'gpt-6-luna': { input: 0.1, output: 0.5 },
    'gpt-5.6-terra': { input: 2, output: 12 },
    'gpt-5.2': { input: 1.75, output: 14 },
    'gpt-5.1': { input: 1.25, output: 10 },
    'gpt-5': { input: 1.25, output: 10 },
    'gpt-5-mini': { input: 0.25, output: 2 },
    'gpt-4.1': { input: 2, output: 8 },
  },
}

/**
 * The cost of a call; undefined if the price is unknown (an unlisted model, another address or a very long prompt). A
 * configured price takes precedence over the list. Cached input counts in full, so the cost may be too high but never
 * too low.
 */
export function costOf(source: ModelSource, usage: TokenUsage): number | undefined {
  const price = source.priceUsd ?? listedPrice(source, usage)
  if (price === undefined) return undefined
  const millionths = usage.inputTokens * price.input + usage.outputTokens * price.output
  return millionths / 1_000_000
}

function listedPrice(source: ModelSource, usage: TokenUsage): Price | undefined {
  if (source.baseUrl !== undefined || usage.inputTokens > LONG_INPUT) return undefined
  const undated = source.model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '')
  const prices = LISTED[source.provider]
  return prices !== undefined && Object.hasOwn(prices, undated) ? prices[undated] : undefined
}
