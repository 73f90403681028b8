import type { WireSession } from '../../../client/index.ts'

/** Input and output tokens: 12.3k/456. */
export function tokenWords({ inputTokens, outputTokens }: WireSession['usage']): string {
  return inputTokens + outputTokens === 0 ? '' : `${short(inputTokens)}/${short(outputTokens)}`
}

/** The cost that programs report. Small amounts have four decimal places. */
export function costWords({ costUsd }: WireSession['usage']): string {
  if (costUsd <= 0) return ''
  return `$${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`
}

export function contextWords({ contextTokens, contextWindow }: WireSession): string | undefined {
  if (contextTokens === undefined) return undefined
  if (contextWindow === undefined || contextWindow <= 0) return `${short(contextTokens)} tokens`
  const share = Math.round((100 * contextTokens) / contextWindow)
  return `${short(contextTokens)} of ${short(contextWindow)} tokens, ${share}% full`
}

function short(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}
