import path from 'node:path'
import type { PermissionOptionKind, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { cleanText } from '../../../domain/clean-text.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import type { PermissionDecision } from '../../../ports/dialogue.ts'
import { type AcpMessage, listAt, textAt, valueAt } from './acp-message.ts'
import type { AcpState, Question } from './acp-state.ts'
import { type AcpStep, answered, changed, learnt, refused } from './acp-step.ts'
import { hearToolCall, inputOf, nameOf } from './acp-tool-calls.ts'

const INVALID_PARAMS = -32_602
const MAX_QUESTIONS = 16
const MAX_ID = 200
const HARMLESS = new Set(['read', 'search', 'edit'])
const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

/** A permission request. Answered at once if there is nothing to decide. */
export function hearPermissionRequest(
  step: AcpStep,
  request: Extract<AcpMessage, { readonly type: 'request' }>,
): AcpStep {
  const toolCall = valueAt(request.params, 'toolCall')
  const callId = textAt(toolCall, 'toolCallId')
  if (callId === undefined) return refused(step, request.id, INVALID_PARAMS, 'the request names no tool call')
  const question = questionOf(request, callId)
  const { turn, permissions } = step.state
  const isStopped = turn === undefined || turn.isInterrupted || turn.limit !== undefined
  if (isStopped || step.state.questions.length >= MAX_QUESTIONS) return answered(step, request.id, CANCELLED)
  // Otherwise, one decision could answer two requests, although the person has seen only the first.
  if (step.state.questions.some((open) => open.requestId === question.requestId || open.id === request.id)) {
    return refused(step, request.id, INVALID_PARAMS, 'a request with this id is already open')
  }
  const reported = hearToolCall(step, toolCall, true)
  if (permissions === 'bypass' || isWithinTree(step.state, toolCall))
    return choose(reported, question, question.allow)
  return learnt(changed(reported, { questions: [...reported.state.questions, question] }), {
    type: 'permission-request',
    requestId: question.requestId,
    tool: nameOf(toolCall) ?? reported.state.calls.find((call) => call.id === callId)?.name ?? 'tool',
    input: inputOf(toolCall),
  })
}

export function decideQuestion(step: AcpStep, requestId: string, decision: PermissionDecision): AcpStep {
  const question = step.state.questions.find((open) => open.requestId === requestId)
  if (question === undefined) return step
  const closed = changed(step, { questions: step.state.questions.filter((open) => open !== question) })
  if (decision.type === 'allow') return choose(closed, question, question.allow)
  const { turn } = closed.state
  const marked = turn === undefined ? closed : changed(closed, { turn: { ...turn, isDenied: true } })
  return choose(marked, question, question.deny)
}

/** The program withdraws a request. */
export function hearCancelRequest(step: AcpStep, params: unknown): AcpStep {
  const id = valueAt(params, 'requestId')
  const questions = step.state.questions.filter((open) => open.id !== id)
  return questions.length === step.state.questions.length ? step : changed(step, { questions })
}

/** Cancels open requests, so that the program doesn't wait for answers in a stopped turn. */
export function withdrawQuestions(step: AcpStep): AcpStep {
  const open = changed(step, { questions: [] })
  return step.state.questions.reduce((next, question) => answered(next, question.id, CANCELLED), open)
}

/** Every process numbers its requests from the start, so the id of the call makes the request's id unique. */
function questionOf(request: Extract<AcpMessage, { readonly type: 'request' }>, callId: string): Question {
  const options = listAt(request.params, 'options')
  const allow = optionOf(options, ['allow_once', 'allow_always'])
  const deny = optionOf(options, ['reject_once', 'reject_always'])
  const requestId = cleanText(`${request.id}:${callId}`.slice(0, MAX_ID))
  return withoutUndefined({ requestId, id: request.id, allow, deny })
}

function optionOf(options: readonly unknown[], kinds: readonly PermissionOptionKind[]): string | undefined {
  for (const kind of kinds) {
    const found = options.find((option) => textAt(option, 'kind') === kind)
    const optionId = textAt(found, 'optionId')
    if (optionId !== undefined && optionId.length <= MAX_ID) return optionId
  }
  return undefined
}

function choose(step: AcpStep, question: Question, optionId: string | undefined): AcpStep {
  if (optionId === undefined) return answered(step, question.id, CANCELLED)
  const chosen: RequestPermissionResponse = { outcome: { outcome: 'selected', optionId } }
  return answered(step, question.id, chosen)
}

/** An agent may read and edit the tree. Outside of it, a person decides. */
function isWithinTree(state: AcpState, toolCall: unknown): boolean {
  if (!HARMLESS.has(textAt(toolCall, 'kind') ?? '')) return false
  const places = listAt(toolCall, 'locations').map((location) => textAt(location, 'path'))
  return (
    places.length > 0 && places.every((place) => place !== undefined && isInside(state.treeDirectory, place))
  )
}

function isInside(directory: string, place: string): boolean {
  const relative = path.relative(directory, path.resolve(directory, place))
  return relative !== '..' && !relative.startsWith('../') && relative.split('/')[0] !== '.git'
}
