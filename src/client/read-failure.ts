import { failureBodySchema } from '../contract/envelope.ts'
import { type ApiError, badAnswerError } from './api-error.ts'

const MAX_QUOTED = 200

/** The error that an answer which is no success holds. */
export function readFailure(status: number, text: string): ApiError {
  const parsed = failureBodySchema.safeParse(parseJson(text))
  if (!parsed.success) return badAnswerError(status, `HTTP ${status}: ${text.slice(0, MAX_QUOTED)}`)
  const { type, message, next, details } = parsed.data.error
  return {
    status,
    type,
    message,
    ...(next === undefined ? {} : { next }),
    ...(details === undefined ? {} : { details }),
  }
}

/** The value, or undefined for text that is no JSON: no schema of ours accepts that. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
