import type { Dialogue, DialogueState, Spoken } from '../../../ports/dialogue.ts'
import { storableText } from '../shared/storable-text.ts'
import { hearCommands, hearHandshake, openConversation } from './acp-handshake.ts'
import { type AcpMessage, readAcpMessage, textAt, valueAt } from './acp-message.ts'
import type { AcpOptions } from './acp-options.ts'
import { decideQuestion, hearCancelRequest, hearPermissionRequest } from './acp-permission.ts'
import { type AcpState, readAcpState } from './acp-state.ts'
import { type AcpStep, changed, learnt, refused, spokenOf, stepFrom } from './acp-step.ts'
import { hearChunk, reportChunks } from './acp-text.ts'
import { hearToolCall, reportPendingCalls } from './acp-tool-calls.ts'
import { endTurn, hearRetry, interruptTurn, startNextTurn } from './acp-turn.ts'
import { hearOldUsage, hearUsageUpdate } from './acp-usage.ts'

const METHOD_NOT_FOUND = -32_601
/** A notification that Muster's plugins for a program send when the program retries a request. */
export const RETRY_METHOD = '_muster/retry'

/**
 * The Agent Client Protocol as pure functions. Of the protocol's library, only the types are used, because its
 * connections end with the process, and a conversation must survive a restart of the daemon.
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

/** An update from the program. Before the first prompt, it can only be part of a replayed conversation. */
function hearUpdate(options: AcpOptions, step: AcpStep, params: unknown): AcpStep {
  const update = valueAt(params, 'update')
  const type = textAt(update, 'sessionUpdate')
  const { stage, sessionId } = step.state
  if (stage.type !== 'ready') return hearOldUpdate(options, step, type, update)
  if (textAt(params, 'sessionId') !== sessionId) return step
  switch (type) {
    case 'agent_message_chunk':
      return hearContent(step, 'text', update)
    case 'agent_thought_chunk':
      return hearContent(step, 'thought', update)
    case 'tool_call':
    case 'tool_call_update':
      return hearToolCall(step, update)
    case 'usage_update':
      return hearUsageUpdate(reportPendingCalls(step), update)
    // Plans, lists of commands and titles are not reported.
    default:
      return step
  }
}

function hearOldUpdate(
  options: AcpOptions,
  step: AcpStep,
  type: string | undefined,
  update: unknown,
): AcpStep {
  if (type === 'usage_update') return hearOldUsage(step, update)
  const isEnd = type === 'available_commands_update' && options.replayEnd === 'available-commands'
  return isEnd ? hearCommands(step) : step
}

function hearContent(step: AcpStep, type: 'text' | 'thought', update: unknown): AcpStep {
  if (step.state.turn === undefined) return step
  const text = textAt(update, 'content', 'text')
  const messageId = textAt(update, 'messageId')?.slice(0, 200)
  if (text === undefined) return reportChunks(step)
  return hearChunk(reportPendingCalls(step), type, messageId, text)
}

/** Before the first answer, other output may mean that this is the wrong program. A person should see it. */
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
