import type { ClaudeCodeState } from './claude-code-state.ts'
import { countIn, type Fields, fieldsOf } from './json-fields.ts'

const LARGE = 1_000_000
const SMALL = 200_000
/** Models up to version 4.6 have the small window, unless their name ends in `[1m]`. */
const SMALL_MODEL = /^claude-(?:3|[a-z]+-(?:3|4)(?:-[0-6])?(?:-\d{8})?$)/

/** How full the context is, for a usage event. */
export function contextFields(state: ClaudeCodeState): {
  readonly contextTokens?: number
  readonly contextWindow?: number
} {
  const { context } = state
  if (context === undefined) return {}
  return { contextTokens: context.tokens, contextWindow: windowOf(state, context.model) }
}

/** The window of the conversation's model as a result reports it; the known one if it doesn't. */
export function windowIn(state: ClaudeCodeState, models: Fields): ClaudeCodeState['window'] {
  const { context } = state
  if (context === undefined) return state.window
  // Model variants have a suffix here that the name in the answer lacks.
  const name = Object.keys(models).find((key) => key.startsWith(context.model))
  const tokens = name === undefined ? 0 : countIn(fieldsOf(models[name])['contextWindow'])
  return tokens === 0 ? state.window : { tokens, model: context.model }
}

/** Within the first turn, no result has reported the window yet, so it follows from the name, as in the program. */
function windowOf({ window, model: requested }: ClaudeCodeState, model: string): number {
  if (window?.model === model) return window.tokens
  const variant = requested?.startsWith(model) === true ? requested : model
  return !variant.endsWith('[1m]') && SMALL_MODEL.test(variant) ? SMALL : LARGE
}
