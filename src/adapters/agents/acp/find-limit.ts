import type { AcpError } from './acp-message.ts'

const TOO_MANY_REQUESTS = 429
const MAX_DEPTH = 4
const KIND_FIELDS = new Set([
  'type',
  'code',
  'status',
  'reason',
  'kind',
  'errorKind',
  'error',
  'codexErrorInfo',
])
const STATUS_FIELDS = new Set(['status', 'statusCode', 'status_code', 'httpStatus', 'httpStatusCode', 'code'])
const RESET_FIELDS = new Set(['resetsAt', 'resets_at', 'resetAt', 'reset_at'])
/** Names for a limit in model servers and agent programs. Their messages are not used, because those change. */
const LIMIT_KINDS = new Set([
  'rate_limit',
  'rate_limit_error',
  'rate_limit_exceeded',
  'usage_limit_reached',
  'usageLimitExceeded',
  'insufficient_quota',
  'quota_exceeded',
  'RESOURCE_EXHAUSTED',
])

type Limit = { readonly resetsAt?: string }

/** Decides from typed fields whether an error means a used-up quota, and until when. */
export function findLimit(error: AcpError): Limit | undefined {
  const fields = [...fieldsIn(error.data, 0)]
  const isLimit =
    error.code === TOO_MANY_REQUESTS || fields.some(([name, value]) => isLimitField(name, value))
  if (!isLimit) return undefined
  const reset = fields.find(([name]) => RESET_FIELDS.has(name))
  const resetsAt = reset === undefined ? undefined : isoTime(reset[1])
  return resetsAt === undefined ? {} : { resetsAt }
}

function isLimitField(name: string, value: unknown): boolean {
  if (typeof value === 'number') return STATUS_FIELDS.has(name) && value === TOO_MANY_REQUESTS
  return typeof value === 'string' && KIND_FIELDS.has(name) && LIMIT_KINDS.has(value)
}

function* fieldsIn(value: unknown, depth: number): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
  for (const [name, inner] of Object.entries(value)) {
    yield [name, inner]
    yield* fieldsIn(inner, depth + 1)
  }
}

/** A time given as ISO text, or in seconds or milliseconds since 1970. */
export function isoTime(value: unknown): string | undefined {
  const isNumber = typeof value === 'number'
  if (!isNumber && typeof value !== 'string') return undefined
  const time = new Date(isNumber && value < 1e11 ? value * 1_000 : value)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
