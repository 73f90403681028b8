import { z } from 'zod'
import type { Spoken } from '../../../ports/dialogue.ts'
import { type CodexState, identifier } from './codex-state.ts'

const count = z.int().nonnegative()
const breakdown = z.object({ totalTokens: count, inputTokens: count, outputTokens: count })
const usageNotice = z.object({
  turnId: identifier,
  tokenUsage: z.object({
    total: breakdown,
    last: breakdown,
    modelContextWindow: count.nullish().catch(undefined),
  }),
})

/**
 * Reports the usage since the last report, computed from the thread's totals, because the program sometimes repeats a
 * report. A report for an earlier turn, as after a resume, only sets the starting point.
 */
export function hearUsage(state: CodexState, params: unknown): Spoken {
  const reported = usageNotice.safeParse(params).data
  if (reported === undefined) return { state, events: [], says: [] }
  const { total, last, modelContextWindow: contextWindow } = reported.tokenUsage
  const next: CodexState = { ...state, spent: { input: total.inputTokens, output: total.outputTokens } }
  const inputTokens = total.inputTokens - state.spent.input
  const outputTokens = total.outputTokens - state.spent.output
  const { stage } = state
  const isOurs = stage.type === 'working' && stage.turnId === reported.turnId
  const isNews = inputTokens >= 0 && outputTokens >= 0 && inputTokens + outputTokens > 0
  if (!isOurs || !isNews) return { state: next, events: [], says: [] }
  const context = { contextTokens: last.totalTokens, ...(contextWindow ? { contextWindow } : {}) }
  return { state: next, events: [{ type: 'usage', inputTokens, outputTokens, ...context }], says: [] }
}
