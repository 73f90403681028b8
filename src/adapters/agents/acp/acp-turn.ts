import type { PromptRequest } from '@agentclientprotocol/sdk'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import { cleanText } from '../shared/storable-text.ts'
import { type AcpMessage, numberAt, textAt } from './acp-message.ts'
import type { AcpOptions } from './acp-options.ts'
import { outcomeOfAnswer, outcomeOfError } from './acp-outcome.ts'
import { withdrawQuestions } from './acp-permission.ts'
import { type AcpStep, asked, changed, learnt, notified } from './acp-step.ts'
import { tellChunks } from './acp-text.ts'
import { tellHeldCalls } from './acp-tool-calls.ts'
import { tellTurnUsage } from './acp-usage.ts'
import { isoTime } from './find-limit.ts'

/** Retries in vain after which a limit is believed, and a wait after which it is believed at once. */
const MAX_RETRIES = 3
const MAX_WAIT_MS = 60_000
const TOO_MANY_REQUESTS = 429

/** Sends the oldest message that waits, when the program is ready for one. */
export function startNextTurn(step: AcpStep): AcpStep {
  const { stage, turn, sessionId, waiting } = step.state
  const [text, ...rest] = waiting
  if (stage.type !== 'ready' || turn !== undefined || sessionId === undefined || text === undefined)
    return step
  const params: PromptRequest = { sessionId, prompt: [{ type: 'text', text }] }
  const started = { isInterrupted: false, isDenied: false, answer: '', isAnswerOver: true }
  return asked(changed(step, { turn: started, waiting: rest }), 'session/prompt', params)
}

/** Stops the turn that runs, or takes back the message that would be the next. */
export function interruptTurn(step: AcpStep): AcpStep {
  const { turn, sessionId, waiting } = step.state
  if (turn === undefined || sessionId === undefined) {
    if (waiting.length === 0) return step
    const rest = changed(step, { waiting: waiting.slice(1) })
    return learnt(rest, { type: 'turn-end', outcome: { type: 'interrupted' } })
  }
  if (turn.isInterrupted) return step
  const marked = changed(step, { turn: { ...turn, isInterrupted: true } })
  return withdrawQuestions(notified(marked, 'session/cancel', { sessionId }))
}

/**
 * A program that waits out a limit by itself would hold its turn for hours. Told of its retries, we stop it
 * when they are in vain.
 */
export function hearRetry(step: AcpStep, params: unknown): AcpStep {
  const { turn, sessionId } = step.state
  if (turn === undefined || sessionId === undefined || turn.isInterrupted || turn.limit !== undefined)
    return step
  if (textAt(params, 'sessionId') !== sessionId || numberAt(params, 'status') !== TOO_MANY_REQUESTS)
    return step
  const isShort = (numberAt(params, 'waitMs') ?? 0) <= MAX_WAIT_MS
  if (isShort && (numberAt(params, 'attempt') ?? 0) < MAX_RETRIES) return step
  const resetsAt = isoTime(textAt(params, 'resetsAt'))
  const reason = cleanText(
    textAt(params, 'message')?.slice(0, 500) ?? "the model's server refuses more requests",
  )
  const limit = { reason, ...(resetsAt === undefined ? {} : { resetsAt }) }
  return notified(changed(step, { turn: { ...turn, limit } }), 'session/cancel', { sessionId })
}

/** The prompt was answered: the turn is over, and the next message goes out. */
export function endTurn(
  options: AcpOptions,
  step: AcpStep,
  answer: Extract<AcpMessage, { readonly type: 'result' | 'error' }>,
): AcpStep {
  const told = tellHeldCalls(tellChunks(step))
  const { turn } = told.state
  if (turn === undefined) return step
  if (answer.type === 'error') {
    const login = options.login ?? told.state.login
    return startNextTurn(closeTurn(told, outcomeOfError(turn, answer.error, login)))
  }
  const used = tellTurnUsage(told, answer.result)
  return startNextTurn(closeTurn(used, outcomeOfAnswer(turn, answer.result)))
}

function closeTurn(step: AcpStep, outcome: TurnOutcome): AcpStep {
  const over = changed(step, { turn: undefined, chunks: undefined, calls: [], questions: [] })
  return learnt(over, { type: 'turn-end', outcome })
}
