import type { ApiError } from '../client/api-error.ts'
import type { Result } from '../domain/result.ts'

/** Why the library could not do something. `type` is the failure type of the API, or `unavailable` without a daemon. */
export class MusterError extends Error {
  override readonly name = 'MusterError'
  readonly type: string
  /** The HTTP status of the daemon's answer; 0 if there was none. */
  readonly status: number
  /** What to do about it. */
  readonly next: string | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor({ type, status, message, next, details = {} }: ApiError) {
    super(message)
    this.type = type
    this.status = status
    this.next = next
    this.details = details
  }
}

/** The value of a call's result. Throws its failure. */
export async function answerOf<Value>(call: Promise<Result<Value, ApiError>>): Promise<Value> {
  const result = await call
  if (result.ok) return result.value
  throw new MusterError(result.failure)
}

export function unavailable(message: string, next?: string): MusterError {
  return new MusterError({ type: 'unavailable', status: 0, message, ...(next === undefined ? {} : { next }) })
}
