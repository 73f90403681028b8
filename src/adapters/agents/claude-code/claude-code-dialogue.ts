import type { Dialogue, DialogueState, Opening, PermissionDecision, Spoken } from '../../../ports/dialogue.ts'
import { parseJsonObject } from '../shared/parse-json-object.ts'
import { type ClaudeCodeState, quiet, readState, type Step } from './claude-code-state.ts'
import { hearControlCancel, hearControlRequest } from './hear-control.ts'
import { hearAssistant, hearUser } from './hear-message.ts'
import { hearResult } from './hear-result.ts'
import { hearRateLimit, hearSystem } from './hear-system.ts'
import { allowLine, denyLine, initializeLine, interruptLine, messageLine } from './written-lines.ts'

/** Claude Code's JSON lines, as with `--input-format=stream-json` and `--output-format=stream-json`. */
export const claudeCodeDialogue: Dialogue = { open, hear, echoes, say, interrupt, decide }

function open(opening: Opening): Spoken {
  const begun = { permissions: opening.permissions, turn: 'running' } as const
  const state = readState(opening.resume === undefined ? { ...begun, costUsd: 0 } : begun)
  return { state, events: [], says: [initializeLine(), messageLine(opening.prompt)] }
}

function hear(state: DialogueState, line: string): Spoken {
  const fields = parseJsonObject(line)
  // A line that isn't a JSON object is a fragment or noise.
  return fields === undefined ? { state, events: [], says: [] } : hearFields(readState(state), fields)
}

/** A permitted tool gets its input back. */
function echoes(line: string): boolean {
  return parseJsonObject(line)?.['type'] === 'control_request'
}

function hearFields(state: ClaudeCodeState, fields: Readonly<Record<string, unknown>>): Step {
  switch (fields['type']) {
    case 'system':
      return hearSystem(state, fields)
    case 'assistant':
      return hearAssistant(state, fields)
    case 'user':
      return hearUser(state, fields)
    case 'rate_limit_event':
      return hearRateLimit(state, fields)
    case 'control_request':
      return hearControlRequest(state, fields)
    case 'control_cancel_request':
      return hearControlCancel(state, fields)
    case 'result':
      return hearResult(state, fields)
    default:
      return quiet(state)
  }
}

/** Holds back messages during a turn, because the program would add them to that turn or merge several into one. */
function say(stored: DialogueState, text: string): Spoken {
  const state = readState(stored)
  if (state.turn !== 'idle') return quiet({ ...state, waiting: [...state.waiting, text] })
  return { state: { ...state, turn: 'running' }, events: [], says: [messageLine(text)] }
}

function interrupt(stored: DialogueState): Spoken {
  const state = readState(stored)
  if (state.turn !== 'running') return quiet(state)
  const interrupts = state.interrupts + 1
  return {
    state: { ...state, turn: 'interrupting', interrupts },
    events: [],
    says: [interruptLine(interrupts)],
  }
}

function decide(stored: DialogueState, requestId: string, decision: PermissionDecision): Spoken {
  const state = readState(stored)
  const request = state.asked.find((open) => open.id === requestId)
  if (request === undefined) return quiet(state)
  const asked = state.asked.filter((open) => open !== request)
  return { state: { ...state, asked }, events: [], says: [answerLine(request, decision)] }
}

function answerLine(
  request: { readonly id: string; readonly input: string },
  decision: PermissionDecision,
): string {
  if (decision.type === 'deny') return denyLine(request.id, decision.reason)
  const input = parseJsonObject(request.input)
  return input === undefined
    ? denyLine(request.id, 'The request is no longer known.')
    : allowLine(request.id, input)
}
