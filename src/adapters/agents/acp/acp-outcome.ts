import type { StopReason } from '@agentclientprotocol/sdk'
import type { Unready } from '../../../domain/agent/unready.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import { storableText } from '../shared/storable-text.ts'
import { loginRefused, notLoggedIn, unreachable } from '../shared/unready-program.ts'
import { type AcpError, textAt } from './acp-message.ts'
import type { AcpTurn } from './acp-state.ts'
import { findLimit } from './find-limit.ts'

export const AUTHENTICATION_REQUIRED = -32_000
/** Some programs pass on the HTTP status of their model's server. */
export const UNAUTHORISED: ReadonlySet<number | undefined> = new Set([401, 403])
/** Instead of a status, if a request got no answer at all. */
export const NO_ANSWER = 0
const MAX_REASON = 2_000

/** How a turn ended whose prompt got a result. */
export function outcomeOfAnswer(turn: AcpTurn, result: unknown, program: LoginHint): TurnOutcome {
  if (turn.limit !== undefined) return limited(turn.limit.reason, turn.limit.resetsAt)
  if (turn.failedRequest === NO_ANSWER) return { type: 'unready', ...unreachable(program) }
  // Some programs report an interrupted turn as finished.
  if (turn.isInterrupted) return { type: 'interrupted' }
  const stopReason = textAt(result, 'stopReason') as StopReason | undefined
  switch (stopReason) {
    case 'end_turn':
      return { type: 'done', text: storableText(turn.answer) }
    case 'cancelled':
      // After a denied request, some programs end the turn this way. Others let the model finish.
      if (turn.isDenied) return { type: 'done', text: storableText(turn.answer) }
      return { type: 'failed', reason: 'the agent cancelled its turn without being asked to' }
    case 'refusal':
      return { type: 'refused', reason: short(turn.answer) || 'the model declined to continue' }
    case 'max_tokens':
      return { type: 'failed', reason: 'the model reached its token limit' }
    case 'max_turn_requests':
      return { type: 'failed', reason: 'the agent reached its limit of requests per turn' }
    default:
      return { type: 'failed', reason: 'the agent ended its turn without a reason' }
  }
}

/** How a turn ended whose prompt, or a request before it, got an error. */
export function outcomeOfError(
  turn: Pick<AcpTurn, 'isInterrupted' | 'limit' | 'failedRequest'>,
  error: AcpError,
  program: LoginHint,
): TurnOutcome {
  if (turn.limit !== undefined) return limited(turn.limit.reason, turn.limit.resetsAt)
  if (turn.isInterrupted) return { type: 'interrupted' }
  const reason = reasonOf(error)
  const limit = findLimit(error)
  if (limit !== undefined) return limited(reason, limit.resetsAt)
  const unready = findUnready(turn, error, program)
  return unready === undefined ? { type: 'failed', reason } : { type: 'unready', ...unready }
}

type LoginHint = { readonly title: string; readonly login: string }

function findUnready(
  { failedRequest }: Pick<AcpTurn, 'failedRequest'>,
  error: AcpError,
  program: LoginHint,
): Unready | undefined {
  if (error.code === AUTHENTICATION_REQUIRED) return notLoggedIn(program)
  const status = UNAUTHORISED.has(error.code) ? error.code : failedRequest
  if (status === NO_ANSWER) return unreachable(program)
  return status === undefined ? undefined : loginRefused(program, { status, message: reasonOf(error) })
}

/** The message of an error and its details. */
export function reasonOf(error: AcpError): string {
  const details = textAt(error.data, 'details') ?? textAt(error.data, 'message') ?? textAt(error, 'data')
  const words = details === undefined || details === error.message ? '' : `: ${details}`
  return short(`${error.message}${words}`)
}

function limited(reason: string, resetsAt: string | undefined): TurnOutcome {
  return { type: 'limited', reason, ...(resetsAt === undefined ? {} : { resetsAt }) }
}

function short(text: string): string {
  return storableText(text.slice(0, MAX_REASON).trim())
}
