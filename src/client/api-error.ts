import { failureBodySchema } from '../contract/envelope.ts'
import { parseJson } from '../contract/parse-json.ts'

/**
 * Why a call failed. `type` is the daemon's failure type, or one of two that only the client uses: `unreachable`
 * (status 0: no daemon answered) and `bad-answer` (the answer doesn't match this version's contract).
 */
export type ApiError = {
  readonly status: number
  readonly type: string
  readonly message: string
  readonly next?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Thrown while following if trying again cannot help: no such job, a wrong token, or not a Muster daemon. */
export class FollowError extends Error {
  override readonly name = 'FollowError'
  readonly error: ApiError

  constructor(error: ApiError) {
    super(error.message)
    this.error = error
  }
}

const MAX_QUOTED = 200

/** Reads the error from the body of a failed request. */
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

export function unreachableError(url: string, problem: string): ApiError {
  return {
    status: 0,
    type: 'unreachable',
    message: `No daemon answers at ${url}: ${problem}`,
    next: 'muster doctor',
  }
}

export function badAnswerError(status: number, problem: string): ApiError {
  return {
    status,
    type: 'bad-answer',
    message: `The answer is not from a Muster daemon of this version: ${problem}`,
    next: 'Stop the daemon so that this version starts: muster shutdown',
  }
}
