import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ApiFailure } from '../contract/failure/api-failure.ts'
import { ProviderError } from '../engine/providers/provider-error.ts'
import type { Log } from '../ports/log.ts'
import { refuse } from './refuse.ts'

/** The response to a thrown error. The text of a defect goes to the log and never over the wire. */
export function answerError(needs: { readonly log: Log }, error: Error, context: Context) {
  const failure = failureOf(error)
  if (failure.type === 'internal') {
    needs.log.error({ error, method: context.req.method, path: context.req.path }, 'a request failed')
  }
  if (failure.type === 'store-unavailable') {
    needs.log.warn({ problem: error.message, path: context.req.path }, 'the database is unreachable')
  }
  return refuse(context, failure)
}

function failureOf(error: Error): ApiFailure {
  if (isStoreUnavailable(error)) {
    return { type: 'store-unavailable', problem: 'it does not respond or is restarting' }
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

const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/** SQLSTATEs of a server that is stopping, starting or full, or of a broken connection. */
const SERVER_CODES = /^(57P0[123]|53300|08\w{3})$/

/** Messages of the driver and the pool for errors that have no code. */
const MESSAGES =
  /connection terminated|connection error|terminating connection|timeout exceeded when trying to connect|connection timeout|client was closed|cannot use a pool after calling end|driver has already been destroyed/i

const MAX_DEPTH = 5

/** Whether an error means that the database is unreachable at the moment, rather than a defect of ours. */
function isStoreUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  // ENOENT means a missing socket only for `connect`; otherwise it is some missing file.
  if (code === 'ENOENT' && syscall === 'connect') return true
  if (code !== undefined && (CONNECTION_CODES.has(code) || SERVER_CODES.test(code))) return true
  if (MESSAGES.test(error.message)) return true
  const nested: readonly unknown[] = error instanceof AggregateError ? error.errors : []
  return [error.cause, ...nested].some((inner) => isStoreUnavailable(inner, depth + 1))
}
