import { failureBodySchema } from '../contract/envelope.ts'
import { parseJson } from '../contract/parse-json.ts'
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
