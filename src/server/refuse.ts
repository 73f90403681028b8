import type { Context } from 'hono'
import type { ApiFailure } from '../contract/failure/api-failure.ts'
import { failureBody } from '../contract/failure/failure-body.ts'
import { statusOf } from '../contract/failure/failure-table.ts'
import { HTTP_LIMITS } from '../domain/limits/http-limits.ts'

/** The only way a route answers with a failure. */
export function refuse(context: Context, failure: ApiFailure) {
  const status = statusOf(failure)
  if (status === 503) context.header('retry-after', String(HTTP_LIMITS.retryAfterSeconds))
  // The rest of such a body is not read, so what follows it on the connection could not be told from it.
  if (failure.type === 'body-too-large') context.header('connection', 'close')
  return context.json(failureBody(failure), status)
}
