import { APICallError } from 'ai'
import type { OpenedModel } from './open-model.ts'
import { retryAfterOf } from './retry-after.ts'

/** Why a call failed, and whether a retry may help. */
export type CallFault = {
  readonly reason: string
  readonly isTemporary: boolean
  readonly retryAfterMs?: number
  /** The service rejected the request itself, so it may not support schemas. */
  readonly isRequestRefused?: boolean
  /** The service rejected the key, or wants one. */
  readonly isKeyRejected?: boolean
}

const TEMPORARY: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])
const KEY_REJECTED: ReadonlySet<number> = new Set([401, 403])
const REFUSED: ReadonlySet<number> = new Set([400, 415, 422, 501])

export function describeCallError(error: unknown, opened: OpenedModel, now: number): CallFault {
  if (!APICallError.isInstance(error)) return brokenOff(error, opened)
  const { statusCode } = error
  if (statusCode === undefined) return unreachable(error, opened)
  if (statusCode < 300) return brokenOff(error, opened)
  const retryAfterMs = retryAfterOf(error.responseHeaders, now)
  return {
    reason: `${wordsFor(statusCode, opened)} (${statusCode}): ${error.message}`,
    isTemporary: TEMPORARY.has(statusCode) && !isOutOfCredit(error),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(REFUSED.has(statusCode) ? { isRequestRefused: true } : {}),
    ...(KEY_REJECTED.has(statusCode) ? { isKeyRejected: true } : {}),
  }
}

function wordsFor(status: number, { source, keyVariable, key }: OpenedModel): string {
  const { provider, model } = source
  if (KEY_REJECTED.has(status)) {
    const what = key === undefined ? `a call without ${keyVariable}` : `the key in ${keyVariable}`
    return `${provider} refused ${what}`
  }
  if (status === 404) return `${provider} does not know the model "${model}", or its address is wrong`
  if (status === 429) return `${provider} reports a rate limit or an exhausted quota`
  if (TEMPORARY.has(status)) return `${provider} can't answer now`
  return `${provider} refused the request`
}

function unreachable(error: APICallError, { source }: OpenedModel): CallFault {
  const where = `${source.provider} (${new URL(error.url).origin})`
  return { reason: `cannot reach ${where}: ${deepestMessage(error)}`, isTemporary: true }
}

/** The connection broke, or the service reported an error in the middle of its answer. A retry may help. */
function brokenOff(error: unknown, { source }: OpenedModel): CallFault {
  return {
    reason: `the answer from ${source.provider} broke off: ${deepestMessage(error)}`,
    isTemporary: true,
  }
}

/** Waiting doesn't help an account without credit. */
function isOutOfCredit(error: APICallError): boolean {
  return /insufficient_quota|billing_hard_limit/.test(error.responseBody ?? '')
}

/** The innermost cause is the most specific one. */
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
