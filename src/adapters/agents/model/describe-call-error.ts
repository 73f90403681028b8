import { APICallError } from 'ai'
import type { OpenedModel } from './open-model.ts'
import { retryAfterOf } from './retry-after.ts'

/** Why a call failed, in a sentence, and whether another may go better. */
export type CallFault = {
  readonly reason: string
  readonly isPassing: boolean
  readonly retryAfterMs?: number
  /** The service did not like how it was asked: it may know nothing of schemas. */
  readonly isRequestRefused?: boolean
}

const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])
const REFUSED: ReadonlySet<number> = new Set([400, 415, 422, 501])

/** What an error of the call means. */
export function describeCallError(error: unknown, opened: OpenedModel, now: number): CallFault {
  if (!APICallError.isInstance(error)) return brokenOff(error, opened)
  const { statusCode } = error
  if (statusCode === undefined) return unreachable(error, opened)
  if (statusCode < 300) return brokenOff(error, opened)
  const retryAfterMs = retryAfterOf(error.responseHeaders, now)
  return {
    reason: `${wordsFor(statusCode, opened)} (${statusCode}): ${error.message}`,
    isPassing: PASSING.has(statusCode) && !isOutOfCredit(error),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(REFUSED.has(statusCode) ? { isRequestRefused: true } : {}),
  }
}

function wordsFor(status: number, { source, keyVariable, key }: OpenedModel): string {
  const { provider, model } = source
  if (status === 401 || status === 403) {
    const what = key === undefined ? `a call without ${keyVariable}` : `the key in ${keyVariable}`
    return `${provider} refused ${what}`
  }
  if (status === 404) return `${provider} does not know the model "${model}", or its address is wrong`
  if (status === 429) return `${provider} is out of quota or limits the rate`
  if (PASSING.has(status)) return `${provider} is not able to answer now`
  return `${provider} refused the request`
}

function unreachable(error: APICallError, { source }: OpenedModel): CallFault {
  const where = `${source.provider} (${new URL(error.url).origin})`
  return { reason: `cannot reach ${where}: ${deepestMessage(error)}`, isPassing: true }
}

/** A connection broke, or the service said in the middle of its answer that it cannot go on: a second may do. */
function brokenOff(error: unknown, { source }: OpenedModel): CallFault {
  return { reason: `the answer of ${source.provider} broke off: ${deepestMessage(error)}`, isPassing: true }
}

/** Waiting does not fill an empty purse. */
function isOutOfCredit(error: APICallError): boolean {
  return /insufficient_quota|billing_hard_limit/.test(error.responseBody ?? '')
}

/** The cause at the bottom tells more than the layers above it. */
function deepestMessage(error: unknown): string {
  let deepest = error
  for (let depth = 0; depth < 5 && deepest instanceof Error && deepest.cause !== undefined; depth += 1) {
    deepest = deepest.cause
  }
  const message = messageOf(deepest)
  const code = deepest instanceof Error && 'code' in deepest ? String(deepest.code) : ''
  return message === '' ? code : message
}

function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  return 'message' in error ? String(error.message) : JSON.stringify(error)
}
