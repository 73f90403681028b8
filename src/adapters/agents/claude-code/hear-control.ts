import { cleanText } from '../../../domain/clean-text.ts'
import { storableJson } from '../shared/storable-json.ts'
import { type ClaudeCodeState, quiet, type Step } from './claude-code-state.ts'
import { type Fields, fieldsOf, isFields, textIn } from './json-fields.ts'
import { allowLine, denyLine, unknownRequestLine } from './written-lines.ts'

const MAX_ID = 200
const MAX_TOOL = 128
const MAX_REASON = 2_000
/** How much of the stored state all open requests together may use. */
const MAX_ASKED_BYTES = 24 * 1024

const TOO_LARGE = 'This is too large to show to a person. Do it in smaller steps.'
const UNSHOWABLE = "This contains characters that can't be shown to a person. Do it without them."

/** The program asks something and waits for the answer. */
export function hearControlRequest(state: ClaudeCodeState, fields: Fields): Step {
  const id = textIn(fields['request_id'])
  if (id === undefined) return quiet(state)
  const request = fieldsOf(fields['request'])
  const tool = textIn(request['tool_name'])
  const input = request['input']
  const isKnown = request['subtype'] === 'can_use_tool' && id.length <= MAX_ID && cleanText(id) === id
  if (!isKnown || tool === undefined || !isFields(input)) {
    return { state, events: [], says: [unknownRequestLine(id)] }
  }
  if (state.asked.some((open) => open.id === id)) return quiet(state)
  if (state.permissions === 'bypass') return { state, events: [], says: [allowLine(id, input)] }
  return ask(state, { id, tool, input, reason: reasonIn(request) })
}

/** The program withdraws a request. */
export function hearControlCancel(state: ClaudeCodeState, fields: Fields): Step {
  const asked = state.asked.filter((open) => open.id !== fields['request_id'])
  return quiet(asked.length === state.asked.length ? state : { ...state, asked })
}

type Question = {
  readonly id: string
  readonly tool: string
  readonly input: Fields
  readonly reason: string | undefined
}

/** A person is asked only if they can see exactly what will be done. */
function ask(state: ClaudeCodeState, question: Question): Step {
  const { id, tool, input, reason } = question
  const exact = JSON.stringify(input)
  const asked = [...state.asked, { id, input: exact }]
  if (Buffer.byteLength(JSON.stringify(asked)) > MAX_ASKED_BYTES) {
    return { state, events: [], says: [denyLine(id, TOO_LARGE)] }
  }
  const shown = storableJson(input)
  if (JSON.stringify(shown) !== exact || cleanText(tool) !== tool || tool.length > MAX_TOOL) {
    return { state, events: [], says: [denyLine(id, UNSHOWABLE)] }
  }
  const event = { type: 'permission-request', requestId: id, tool, input: shown } as const
  return {
    state: { ...state, asked },
    events: [reason === undefined ? event : { ...event, reason }],
    says: [],
  }
}

function reasonIn(request: Fields): string | undefined {
  const place = textIn(request['blocked_path'])
  const reason =
    textIn(request['decision_reason']) ??
    (place === undefined ? undefined : `It accesses ${place}, outside the working tree.`)
  return reason === undefined ? undefined : cleanText(reason.slice(0, MAX_REASON))
}
