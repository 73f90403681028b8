import type { Dialogue, DialogueState, Spoken } from '../../../ports/dialogue.ts'
import { storableText } from '../shared/storable-text.ts'
import { hearHandshake, openConversation } from './acp-handshake.ts'
import { type AcpMessage, readAcpMessage } from './acp-message.ts'
import type { AcpOptions } from './acp-options.ts'
import { decideQuestion, hearCancelRequest, hearPermissionRequest } from './acp-permission.ts'
import { type AcpState, readAcpState } from './acp-state.ts'
import { type AcpStep, changed, learnt, refused, spokenOf, stepFrom } from './acp-step.ts'
import { endTurn, hearRetry, interruptTurn, startNextTurn } from './acp-turn.ts'
import { hearUpdate } from './acp-update.ts'

const METHOD_NOT_FOUND = -32_601
/** A notification that Muster's own extensions of a program print when it tries a request again. */
export const RETRY_METHOD = '_muster/retry'

/**
 * The Agent Client Protocol as a fold over its lines. The protocol's own library is used for its types alone:
 * its connections live and die with a process, and a conversation has to survive the daemon's.
 */
export function createAcpDialogue(options: AcpOptions): Dialogue {
  const from = (stored: DialogueState, move: (step: AcpStep) => AcpStep): Spoken =>
    spokenOf(move(stepFrom(readAcpState(stored))))
  return {
    open: (opening) => spokenOf(openConversation(opening)),
    hear: (stored, line) => from(stored, (step) => hearLine(options, step, line)),
    say: (stored, text) => from(stored, (step) => sayMessage(step, text)),
    interrupt: (stored) => from(stored, interruptTurn),
    decide: (stored, requestId, decision) =>
      from(stored, (step) => decideQuestion(step, requestId, decision)),
  }
}

function hearLine(options: AcpOptions, step: AcpStep, line: string): AcpStep {
  const message = readAcpMessage(line)
  if (message === undefined) return hearNoise(step, line)
  if (step.state.stage.type === 'broken') return step
  switch (message.type) {
    case 'request':
      return hearRequest(step, message)
    case 'notification':
      return hearNotification(options, step, message)
    case 'result':
    case 'error':
      return hearAnswer(options, step, message)
  }
}

function hearAnswer(
  options: AcpOptions,
  step: AcpStep,
  answer: Extract<AcpMessage, { readonly type: 'result' | 'error' }>,
): AcpStep {
  if (answer.id !== step.state.awaited) return step
  const heard = changed(step, { awaited: undefined })
  return isTurnOf(step.state) ? endTurn(options, heard, answer) : hearHandshake(options, heard, answer)
}

function hearRequest(step: AcpStep, request: Extract<AcpMessage, { readonly type: 'request' }>): AcpStep {
  if (request.method === 'session/request_permission') return hearPermissionRequest(step, request)
  return refused(step, request.id, METHOD_NOT_FOUND, `Muster does not offer ${request.method.slice(0, 200)}`)
}

function hearNotification(
  options: AcpOptions,
  step: AcpStep,
  message: Extract<AcpMessage, { readonly type: 'notification' }>,
): AcpStep {
  switch (message.method) {
    case 'session/update':
      return hearUpdate(options, step, message.params)
    case '$/cancel_request':
      return hearCancelRequest(step, message.params)
    case RETRY_METHOD:
      return hearRetry(step, message.params)
    default:
      return step
  }
}

/** A program that has not yet answered in the protocol may be another than was meant: a person should see why. */
function hearNoise(step: AcpStep, line: string): AcpStep {
  if (step.state.stage.type !== 'initializing' || line.trim() === '') return step
  return learnt(step, { type: 'text', text: storableText(line) })
}

function sayMessage(step: AcpStep, text: string): AcpStep {
  const { stage } = step.state
  if (stage.type !== 'broken') return startNextTurn(changed(step, { waiting: [...step.state.waiting, text] }))
  return learnt(step, { type: 'turn-end', outcome: { type: 'failed', reason: stage.problem } })
}

function isTurnOf(state: AcpState): boolean {
  return state.stage.type === 'ready' && state.turn !== undefined
}
