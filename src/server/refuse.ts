import type { Context } from 'hono'
import type { ApiFailure } from '../contract/failure/api-failure.ts'
import { failureBody, statusOf } from '../contract/failure/failure-table.ts'
import { HTTP_LIMITS } from '../domain/limits/http-limits.ts'

/**
 * The connection isn't used for another request: the rest of a body is not read, and too many connections only become
 * fewer if they are closed.
 */
const CLOSING: ReadonlySet<ApiFailure['type']> = new Set(['body-too-large', 'too-many-connections'])

/** The only way a route responds with a failure. */
export function refuse(context: Context, failure: ApiFailure) {
  const status = statusOf(failure)
  if (status === 503) context.header('retry-after', String(HTTP_LIMITS.retryAfterSeconds))
  if (CLOSING.has(failure.type)) context.header('connection', 'close')
  return context.json(failureBody(failure), status)
}
