import type { PromptRequest } from '@agentclientprotocol/sdk'
import { cleanText } from '../../../domain/clean-text.ts'
import type { TurnOutcome } from '../../../domain/session/turn-outcome.ts'
import { type AcpMessage, numberAt, textAt } from './acp-message.ts'
import type { AcpOptions } from './acp-options.ts'
import { NO_ANSWER, outcomeOfAnswer, outcomeOfError, UNAUTHORISED } from './acp-outcome.ts'
import { withdrawQuestions } from './acp-permission.ts'
import type { AcpState, AcpTurn } from './acp-state.ts'
import { type AcpStep, asked, changed, learnt, notified } from './acp-step.ts'
import { reportChunks } from './acp-text.ts'
import { reportPendingCalls } from './acp-tool-calls.ts'
import { reportTurnUsage } from './acp-usage.ts'
import { isoTime } from './find-limit.ts'

/** A turn counts as limited after this many retries, or at once if the program would wait longer than this. */
const MAX_RETRIES = 3
const MAX_WAIT_MS = 60_000
const TOO_MANY_REQUESTS = 429

/** Sends the oldest waiting message if the program is ready. */
export function startNextTurn(step: AcpStep): AcpStep {
  const { stage, turn, sessionId, waiting } = step.state
  const [text, ...rest] = waiting
  if (stage.type !== 'ready' || turn !== undefined || sessionId === undefined || text === undefined)
    return step
  const params: PromptRequest = { sessionId, prompt: [{ type: 'text', text }] }
  const started = { isInterrupted: false, isDenied: false, answer: '', isAnswerFinished: true }
  return asked(changed(step, { turn: started, waiting: rest }), 'session/prompt', params)
}

/** Stops the running turn, or drops the next waiting message. */
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
 * A program that waits for a limit to end may block its turn for hours. After several failed retries, we stop the turn.
 */
export function hearRetry(step: AcpStep, params: unknown): AcpStep {
  const { turn, sessionId } = step.state
  if (turn === undefined || sessionId === undefined || turn.isInterrupted || turn.limit !== undefined)
    return step
  if (textAt(params, 'sessionId') !== sessionId) return step
  const status = numberAt(params, 'status')
  if (status !== TOO_MANY_REQUESTS) return hearFailedRequest(step, turn, status, params)
  const isShort = (numberAt(params, 'waitMs') ?? 0) <= MAX_WAIT_MS
  if (isShort && (numberAt(params, 'attempt') ?? 0) < MAX_RETRIES) return step
  const resetsAt = isoTime(textAt(params, 'resetsAt'))
  const reason = cleanText(
    textAt(params, 'message')?.slice(0, 500) ?? "the model's server refused the request (429)",
  )
  const limit = { reason, ...(resetsAt === undefined ? {} : { resetsAt }) }
  return notified(changed(step, { turn: { ...turn, limit } }), 'session/cancel', { sessionId })
}

/** A rejected log-in ends the turn by itself. A turn whose requests get no answer is stopped. */
function hearFailedRequest(
  step: AcpStep,
  turn: AcpTurn,
  status: number | undefined,
  params: unknown,
): AcpStep {
  if (UNAUTHORISED.has(status)) return changed(step, { turn: { ...turn, failedRequest: status } })
  const isPatient = (numberAt(params, 'attempt') ?? 0) < MAX_RETRIES
  if (status !== NO_ANSWER || isPatient || turn.failedRequest === NO_ANSWER) return step
  const marked = changed(step, { turn: { ...turn, failedRequest: NO_ANSWER } })
  return notified(marked, 'session/cancel', { sessionId: step.state.sessionId })
}

/** The prompt was answered. Ends the turn and sends the next message. */
export function endTurn(
  options: AcpOptions,
  step: AcpStep,
  answer: Extract<AcpMessage, { readonly type: 'result' | 'error' }>,
): AcpStep {
  const reported = reportPendingCalls(reportChunks(step))
  const { turn } = reported.state
  if (turn === undefined) return step
  const program = programOf(options, reported.state)
  if (answer.type === 'error') {
    return startNextTurn(closeTurn(reported, outcomeOfError(turn, answer.error, program)))
  }
  const used = reportTurnUsage(reported, answer.result)
  return startNextTurn(closeTurn(used, outcomeOfAnswer(turn, answer.result, program)))
}

/** What is known about the program, for a person who must log in. */
export function programOf({ program }: AcpOptions, { login }: AcpState) {
  return program ?? { title: 'The agent', login: login ?? 'Log in with its own program' }
}

function closeTurn(step: AcpStep, outcome: TurnOutcome): AcpStep {
  const over = changed(step, { turn: undefined, chunks: undefined, calls: [], questions: [] })
  return learnt(over, { type: 'turn-end', outcome })
}
