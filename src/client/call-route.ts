import type { z } from 'zod'
import { successSchema } from '../contract/envelope.ts'
import { parseJson } from '../contract/parse-json.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { type ApiError, badAnswerError, readFailure, unreachableError } from './api-error.ts'
import type { ApiRoute, CallOptions, RouteData, RouteInput } from './route-input.ts'

export type Fetch = typeof globalThis.fetch

/** What every call needs to reach the daemon. */
export type CallNeeds = {
  /** The daemon's origin, without a trailing slash. */
  readonly url: string
  readonly token: string
  readonly fetch: Fetch
}

/** Calls a route and checks the answer against its declaration. Never throws because of the daemon or the network. */
export type Call = <Route extends ApiRoute, Data = RouteData<Route>>(
  route: Route,
  input: RouteInput<Route>,
  /** Reads answers that may contain more than the route declares, such as events of a newer daemon. */
  schema?: z.ZodType<Data>,
) => Promise<Result<Data, ApiError>>

const CALL_TIMEOUT_MS = 30_000

export function createCall(needs: CallNeeds): Call {
  return async <Data>(route: ApiRoute, input: Request, schema?: z.ZodType<Data>) => {
    const answered = await exchange(needs, route, input)
    if (!answered.ok) return answered
    const { status, text } = answered.value
    if (status < 200 || status > 299) return failure(readFailure(status, text))
    const declared = schema === undefined ? answerSchemaOf(route) : successSchema(schema)
    const parsed = declared.safeParse(parseJson(text))
    if (!parsed.success) return failure(badAnswerError(status, describeIssues(parsed.error)))
    return success(parsed.data.data as Data)
  }
}

/** The input of any route, without its types. */
type Request = CallOptions & {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly idempotencyKey?: string | undefined
  readonly timeoutMs?: number
}

async function exchange(
  needs: CallNeeds,
  route: ApiRoute,
  { params, query, body, idempotencyKey, timeoutMs, signal: stopped }: Request,
): Promise<Result<{ readonly status: number; readonly text: string }, ApiError>> {
  const timeout = AbortSignal.timeout(timeoutMs ?? CALL_TIMEOUT_MS)
  try {
    const response = await needs.fetch(`${needs.url}${addressOf(route, params, query)}`, {
      method: route.method.toUpperCase(),
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${needs.token}`,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: stopped === undefined ? timeout : AbortSignal.any([stopped, timeout]),
      redirect: 'error',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return success({ status: response.status, text: await response.text() })
  } catch (error) {
    return failure(unreachableError(needs.url, problemOf(error)))
  }
}

/** Fills in the path and the query of a route. */
export function addressOf(
  route: Pick<ApiRoute, 'path'>,
  params: Readonly<Record<string, string | number>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

type Answer = { readonly content: { readonly 'application/json': { readonly schema: EnvelopeSchema } } }
type EnvelopeSchema = z.ZodType<{ readonly data: unknown }>

/** Every route that the client calls declares its answer under 200 or 201. */
function answerSchemaOf(route: ApiRoute): EnvelopeSchema {
  const responses = route.responses as { readonly 200?: Answer; readonly 201?: Answer }
  const answer = responses[200] ?? responses[201]
  if (answer === undefined) throw new Error(`${route.path} declares no answer`)
  return answer.content['application/json'].schema
}

/** `fetch` puts the reason for a refused connection into the error's cause. */
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
