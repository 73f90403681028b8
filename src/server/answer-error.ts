import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ApiFailure } from '../contract/failure/api-failure.ts'
import { ProviderError } from '../engine/providers/provider-error.ts'
import type { Log } from '../ports/log.ts'
import { isStoreUnavailable } from './is-store-unavailable.ts'
import { refuse } from './refuse.ts'

/** What a thrown error is answered with. The text of a defect goes to the log and never over the wire. */
export function answerError(needs: { readonly log: Log }, error: Error, context: Context) {
  const failure = failureOf(error)
  if (failure.type === 'internal') {
    needs.log.error({ error, method: context.req.method, path: context.req.path }, 'a request failed')
  }
  if (failure.type === 'store-unavailable') {
    needs.log.warn({ problem: error.message, path: context.req.path }, 'the database cannot be reached')
  }
  return refuse(context, failure)
}

function failureOf(error: Error): ApiFailure {
  if (isStoreUnavailable(error)) {
    return { type: 'store-unavailable', problem: 'it does not answer or is restarting' }
  }
  if (error instanceof ProviderError) {
    return { type: 'provider-unavailable', provider: error.providerName, problem: error.message }
  }
  if (!(error instanceof HTTPException)) return { type: 'internal' }
  if (error.status === 415) return { type: 'not-json' }
  if (error.status === 400) {
    return { type: 'bad-request', issues: [{ field: '', problem: 'is not valid JSON' }] }
  }
  return { type: 'internal' }
}
