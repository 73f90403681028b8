import { assertNever } from '../../../domain/assert-never.ts'
import type { Dialogue, DialogueState, Opening, PermissionDecision, Spoken } from '../../../ports/dialogue.ts'
import { parseJsonObject } from '../shared/parse-json-object.ts'
import { storableText } from '../shared/storable-text.ts'
import { FIRST_FREE_ID, greetingLine } from './codex-lines.ts'
import { hearCodexNotification } from './codex-notification.ts'
import { answerTo, hearCodexRequest } from './codex-request.ts'
import { hearCodexResponse } from './codex-response.ts'
import { type CodexState, openingState, parseCodexState, requestIdentifier } from './codex-state.ts'
import { beginNext, interruptTurn } from './codex-turn.ts'

/** Newline-delimited JSON-RPC with `codex app-server`. Both sides send requests. */
export const codexDialogue: Dialogue = { open, hear, echoes, say, interrupt, decide }

function open(opening: Opening): Spoken {
  return { state: openingState(opening, FIRST_FREE_ID), events: [], says: [greetingLine()] }
}

function hear(stored: DialogueState, line: string): Spoken {
  const message = parseJsonObject(line)
  if (message === undefined) return { state: stored, events: textOf(line), says: [] }
  const state = parseCodexState(stored)
  if (state === undefined) return silence(stored)
  const { id, method, params } = message
  const requestId = requestIdentifier.safeParse(id).data
  if (typeof method !== 'string') {
    return requestId === undefined ? silence(stored) : hearCodexResponse(state, requestId, message)
  }
  if (id === undefined) return hearCodexNotification(state, method, params)
  return requestId === undefined ? silence(stored) : hearCodexRequest(state, requestId, method, params)
}

/** A request may ask for permissions, which are granted as they were asked for. */
function echoes(line: string): boolean {
  const message = parseJsonObject(line)
  return message?.['id'] !== undefined && typeof message['method'] === 'string'
}

function say(stored: DialogueState, text: string): Spoken {
  const state = parseCodexState(stored)
  if (state === undefined) return failed(stored, 'the stored state of this conversation cannot be read')
  if (state.stage.type === 'broken') return failed(stored, state.stage.reason)
  return beginNext({ ...state, waiting: [...state.waiting, text] })
}

function interrupt(stored: DialogueState): Spoken {
  const state = parseCodexState(stored)
  return state === undefined ? silence(stored) : interruptStage(state)
}

function interruptStage(state: CodexState): Spoken {
  const { stage } = state
  switch (stage.type) {
    case 'greeting':
    case 'joining':
    case 'starting':
      return { state: { ...state, stage: { ...stage, interrupt: true } }, events: [], says: [] }
    case 'working':
      return interruptTurn(state, stage)
    case 'idle':
    case 'broken':
      return silence(state)
    default:
      return assertNever(stage)
  }
}

function decide(stored: DialogueState, requestId: string, decision: PermissionDecision): Spoken {
  const state = parseCodexState(stored)
  const request = state?.openRequests.find((open) => open.requestId === requestId)
  if (state === undefined || request === undefined) return silence(stored)
  const openRequests = state.openRequests.filter((open) => open !== request)
  return { state: { ...state, openRequests }, events: [], says: [answerTo(request, decision)] }
}

function silence(state: DialogueState): Spoken {
  return { state, events: [], says: [] }
}

function failed(state: DialogueState, reason: string): Spoken {
  return { state, events: [{ type: 'turn-end', outcome: { type: 'failed', reason } }], says: [] }
}

function textOf(line: string): Spoken['events'] {
  return line.trim() === '' ? [] : [{ type: 'text', text: storableText(line) }]
}
