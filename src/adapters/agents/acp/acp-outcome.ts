import type { StopReason } from '@agentclientprotocol/sdk'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import { storableText } from '../shared/storable-text.ts'
import { type AcpError, textAt } from './acp-message.ts'
import type { AcpTurn } from './acp-state.ts'
import { findLimit } from './find-limit.ts'

export const AUTHENTICATION_REQUIRED = -32_000
/** Some programs answer with the status their model's server gave them. */
const UNAUTHORISED = new Set([401, 403])
const MAX_REASON = 2_000

/** How a turn ended whose prompt was answered. */
export function outcomeOfAnswer(turn: AcpTurn, result: unknown): TurnOutcome {
  if (turn.limit !== undefined) return limited(turn.limit.reason, turn.limit.resetsAt)
  // A program may tell a turn that we stopped as one that came to its end.
  if (turn.isInterrupted) return { type: 'interrupted' }
  const stopReason = textAt(result, 'stopReason') as StopReason | undefined
  switch (stopReason) {
    case 'end_turn':
      return { type: 'done', text: storableText(turn.answer) }
    case 'cancelled':
      // After a refusal some programs end the turn this way, others let the model have the last word.
      if (turn.isDenied) return { type: 'done', text: storableText(turn.answer) }
      return { type: 'failed', reason: 'the agent stopped its turn, and nobody had asked it to' }
    case 'refusal':
      return { type: 'refused', reason: short(turn.answer) || 'the model declined to go on' }
    case 'max_tokens':
      return { type: 'failed', reason: "the model's limit of tokens was reached" }
    case 'max_turn_requests':
      return { type: 'failed', reason: 'the agent reached its limit of steps in one turn' }
    default:
      return { type: 'failed', reason: 'the agent ended its turn without saying how' }
  }
}

/** How a turn ended whose prompt, or what had to come before it, was answered with an error. */
export function outcomeOfError(
  turn: Pick<AcpTurn, 'isInterrupted' | 'limit'>,
  error: AcpError,
  login: string | undefined,
): TurnOutcome {
  if (turn.limit !== undefined) return limited(turn.limit.reason, turn.limit.resetsAt)
  if (turn.isInterrupted) return { type: 'interrupted' }
  const reason = reasonOf(error)
  const limit = findLimit(error)
  if (limit !== undefined) return limited(reason, limit.resetsAt)
  if (error.code !== AUTHENTICATION_REQUIRED && !UNAUTHORISED.has(error.code)) {
    return { type: 'failed', reason }
  }
  return { type: 'failed', reason: login === undefined ? `not logged in: ${reason}` : `${reason}. ${login}` }
}

/** The words of an error, and of what it carries. */
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
