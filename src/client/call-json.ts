import { z } from 'zod'
import { successSchema } from '../contract/envelope.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { type ApiError, badAnswerError, unreachableError } from './api-error.ts'
import type { CallNeeds, CallOptions } from './call-needs.ts'
import { parseJson, readFailure } from './read-failure.ts'

export const CALL_TIMEOUT_MS = 30_000

export type Call<Data extends z.ZodType> = CallOptions & {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
  readonly data: Data
  readonly timeoutMs?: number
}

/** One request and its answer, checked against the contract. Never throws for what the daemon or network does. */
export async function callJson<Data extends z.ZodType>(
  needs: CallNeeds,
  call: Call<Data>,
): Promise<Result<z.output<Data>, ApiError>> {
  const answered = await exchange(needs, call)
  if (!answered.ok) return answered
  const { status, text } = answered.value
  if (status < 200 || status > 299) return failure(readFailure(status, text))
  const envelope = successSchema(z.unknown()).safeParse(parseJson(text))
  if (!envelope.success) return failure(badAnswerError(status, describeIssues(envelope.error)))
  const parsed = call.data.safeParse(envelope.data.data)
  return parsed.success ? success(parsed.data) : failure(badAnswerError(status, describeIssues(parsed.error)))
}

async function exchange(
  needs: CallNeeds,
  call: Call<z.ZodType>,
): Promise<Result<{ readonly status: number; readonly text: string }, ApiError>> {
  const timeout = AbortSignal.timeout(call.timeoutMs ?? CALL_TIMEOUT_MS)
  const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout])
  try {
    const response = await needs.fetch(`${needs.url}${call.path}${queryText(call.query)}`, {
      method: call.method,
      headers: headersOf(needs, call),
      signal,
      redirect: 'error',
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    })
    return success({ status: response.status, text: await response.text() })
  } catch (error) {
    return failure(unreachableError(needs.url, problemOf(error)))
  }
}

function headersOf(needs: CallNeeds, call: Call<z.ZodType>): Record<string, string> {
  return {
    ...call.headers,
    accept: 'application/json',
    authorization: `Bearer ${needs.token}`,
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
  }
}

export function queryText(query: Call<z.ZodType>['query']): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}

/** fetch hides the reason of a refused connection one level down. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}

function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    .join('; ')
}
