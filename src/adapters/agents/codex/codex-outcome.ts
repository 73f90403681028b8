import { z } from 'zod'
import type { Unready } from '../../../domain/agent/unready.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import { storableText } from '../shared/storable-text.ts'
import { loginRefused, unreachable } from '../shared/unready-program.ts'
import { CODEX } from './codex-launch.ts'
import { resetTime } from './codex-limits.ts'
import { type CodexState, identifier } from './codex-state.ts'

export const turnError = z.object({
  message: z.string(),
  codexErrorInfo: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .nullish()
    .catch(undefined),
  additionalDetails: z.string().nullish().catch(undefined),
})

export const codexTurn = z.object({
  id: identifier,
  status: z.string().optional().catch(undefined),
  error: turnError.nullish().catch(undefined),
  /** At the end of a turn, its last message. */
  items: z
    .array(z.object({ type: z.string(), text: z.string().optional() }))
    .optional()
    .catch(undefined),
})

type CodexTurn = z.infer<typeof codexTurn>

const QUOTA_ERRORS: ReadonlySet<string> = new Set(['usageLimitExceeded', 'rateLimitExceeded'])
const REFUSALS: ReadonlySet<string> = new Set([
  'cyberPolicy',
  'misalignmentPolicyViolation',
  'tooManyDenials',
])
const TOO_MANY_REQUESTS = 429
const REFUSED_LOGINS: readonly unknown[] = [401, 403]
const withStatus = z.object({ httpStatusCode: z.number().nullable() })

type ErrorInfo = z.infer<typeof turnError>['codexErrorInfo']

/** Decides how a turn ended, from typed fields only. */
export function outcomeOf(turn: CodexTurn, state: CodexState): TurnOutcome {
  if (turn.status === 'interrupted') {
    const isUnreachable = state.stage.type === 'working' && state.stage.isUnreachable === true
    return isUnreachable ? { type: 'unready', ...unreachable(CODEX) } : { type: 'interrupted' }
  }
  if (turn.status === 'completed') return { type: 'done', text: storableText(answerOf(turn, state)) }
  const reason = storableText(problemOf(turn, state))
  const info = turn.error?.codexErrorInfo
  if (isQuotaError(info)) {
    const resetsAt = resetTime(state.limits)
    return { type: 'limited', reason, ...(resetsAt === undefined ? {} : { resetsAt }) }
  }
  const unready = findUnready(info, reason)
  if (unready !== undefined) return { type: 'unready', ...unready }
  const isRefusal = typeof info === 'string' && REFUSALS.has(info)
  return { type: isRefusal ? 'refused' : 'failed', reason }
}

function answerOf(turn: CodexTurn, { stage }: CodexState): string {
  const last = turn.items?.findLast((item) => item.type === 'agentMessage' && item.text)
  return last?.text ?? (stage.type === 'working' ? stage.answer : undefined) ?? ''
}

function problemOf({ error }: CodexTurn, { stage }: CodexState): string {
  const reported = [error?.message, error?.additionalDetails].filter((part) => part)
  if (reported.length > 0) return reported.join(': ')
  return (stage.type === 'working' ? stage.problem : undefined) ?? 'codex gave no reason'
}

function isQuotaError(info: ErrorInfo): boolean {
  return typeof info === 'string' ? QUOTA_ERRORS.has(info) : statusIn(info) === TOO_MANY_REQUESTS
}

function findUnready(info: ErrorInfo, message: string): Unready | undefined {
  if (info === 'unauthorized') return loginRefused(CODEX, { message })
  const status = statusIn(info)
  if (status === null) return unreachable(CODEX)
  return status !== undefined && REFUSED_LOGINS.includes(status)
    ? loginRefused(CODEX, { status, message })
    : undefined
}

/** The HTTP status in the details of an error: `null` if no answer came, undefined if the error isn't about HTTP. */
export function statusIn(info: ErrorInfo): number | null | undefined {
  if (!info || typeof info === 'string') return undefined
  const found = Object.values(info).map((detail) => withStatus.safeParse(detail).data)
  return found.find((detail) => detail !== undefined)?.httpStatusCode
}
