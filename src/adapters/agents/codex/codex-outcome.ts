import { z } from 'zod'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import { storableText } from '../shared/storable-text.ts'
import { resetTime } from './codex-limits.ts'
import { type CodexState, identifier } from './codex-state.ts'

const turnError = z.object({
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
  /** At its end a turn carries its last message. */
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
const withStatus = z.object({ httpStatusCode: z.number() })

/** How a turn ended, told from its typed fields alone. */
export function outcomeOf(turn: CodexTurn, state: CodexState): TurnOutcome {
  if (turn.status === 'interrupted') return { type: 'interrupted' }
  if (turn.status === 'completed') return { type: 'done', text: storableText(answerOf(turn, state)) }
  const reason = storableText(problemOf(turn, state))
  const info = turn.error?.codexErrorInfo
  if (isQuotaError(info)) {
    const resetsAt = resetTime(state.limits)
    return { type: 'limited', reason, ...(resetsAt === undefined ? {} : { resetsAt }) }
  }
  const isRefusal = typeof info === 'string' && REFUSALS.has(info)
  return { type: isRefusal ? 'refused' : 'failed', reason }
}

function answerOf(turn: CodexTurn, { stage }: CodexState): string {
  const last = turn.items?.findLast((item) => item.type === 'agentMessage' && item.text)
  return last?.text ?? (stage.type === 'working' ? stage.answer : undefined) ?? ''
}

function problemOf({ error }: CodexTurn, { stage }: CodexState): string {
  const told = [error?.message, error?.additionalDetails].filter((part) => part)
  if (told.length > 0) return told.join(': ')
  return (stage.type === 'working' ? stage.problem : undefined) ?? 'codex gave no reason'
}

function isQuotaError(info: string | Readonly<Record<string, unknown>> | null | undefined): boolean {
  if (!info) return false
  if (typeof info === 'string') return QUOTA_ERRORS.has(info)
  return Object.values(info).some(
    (detail) => withStatus.safeParse(detail).data?.httpStatusCode === TOO_MANY_REQUESTS,
  )
}
