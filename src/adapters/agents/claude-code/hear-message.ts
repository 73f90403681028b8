import type { AgentEvent } from '../../../domain/event/agent-event.ts'
import { storableJson } from '../shared/storable-json.ts'
import { storableText } from '../shared/storable-text.ts'
import { type ClaudeCodeState, quiet, type Step } from './claude-code-state.ts'
import { contextFields } from './context-window.ts'
import { type Fields, fieldsOf, textIn } from './json-fields.ts'
import { inputOf, TURN_FIELDS } from './usage-since.ts'

const MAX_BLOCKS = 256
const MAX_CALLS = 64
const MAX_NAME = 128
const CALL_TYPES: ReadonlySet<unknown> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])
/** The model name of messages that the program itself has written. */
const SYNTHETIC_MODEL = '<synthetic>'

/** One or more blocks of the model's answer. */
export function hearAssistant(state: ClaudeCodeState, fields: Fields): Step {
  const message = fieldsOf(fields['message'])
  const isSubagent = textIn(fields['parent_tool_use_id']) !== undefined
  const isError = fields['is_api_error_message'] === true
  const blocks = blocksOf(message['content'])
  const events = blocks.flatMap((block) => {
    const text = block['type'] === 'text' ? textIn(block['text']) : undefined
    if (text === undefined) return eventOfBlock(state, block)
    return [{ type: textType(isError, isSubagent), text: storableText(text) }]
  })
  const context = isSubagent ? state.context : (contextOf(message) ?? state.context)
  const isLoginRefused = fields['error'] === 'authentication_failed' || state.isLoginRefused
  const next = { ...withCalls(state, events), context, isLoginRefused }
  // Every block of a message repeats its usage.
  const isKnown = context?.tokens === state.context?.tokens && context?.model === state.context?.model
  return { state: next, events: isKnown ? events : [...events, contextReport(next)], says: [] }
}

/** Reports the context during the turn: by the time a long turn ends, the program may have compacted it. */
function contextReport(state: ClaudeCodeState): AgentEvent {
  return { type: 'usage', inputTokens: 0, outputTokens: 0, ...contextFields(state) }
}

/** Tool results arrive as user messages. Everything else in a user message comes from us. */
export function hearUser(state: ClaudeCodeState, fields: Fields): Step {
  const blocks = blocksOf(fieldsOf(fields['message'])['content'])
  const events = blocks.flatMap((block) => eventOfBlock(state, block))
  return events.length === 0 ? quiet(state) : { state: withCalls(state, events), events, says: [] }
}

/** Text from subagents is not part of the agent's answer. */
function textType(isError: boolean, isSubagent: boolean): 'error-output' | 'thought' | 'text' {
  if (isError) return 'error-output'
  return isSubagent ? 'thought' : 'text'
}

function eventOfBlock(state: ClaudeCodeState, block: Fields): readonly AgentEvent[] {
  const callId = callIdIn(block['tool_use_id'])
  if (callId !== undefined) return [toolResult(state, block, callId)]
  const thought = block['type'] === 'thinking' ? textIn(block['thinking']) : undefined
  if (thought !== undefined) return [{ type: 'thought', text: storableText(thought) }]
  const name = CALL_TYPES.has(block['type']) ? textIn(block['name']) : undefined
  if (name === undefined) return []
  const id = callIdIn(block['id'])
  const call = { type: 'tool-call', name: nameOf(name), input: storableJson(block['input']) } as const
  return [id === undefined ? call : { ...call, callId: id }]
}

function toolResult(state: ClaudeCodeState, block: Fields, callId: string): AgentEvent {
  const name = state.calls.find((call) => call.id === callId)?.name ?? 'tool'
  const result = { type: 'tool-result', name, output: outputOf(block['content']), callId } as const
  return block['is_error'] === true ? { ...result, failed: true } : result
}

/** Text, if the output is only text. Images are reduced to their type, because only the model needs their bytes. */
function outputOf(content: unknown): unknown {
  if (typeof content === 'string') return storableText(content)
  if (!Array.isArray(content)) return storableJson(content)
  const parts = blocksOf(content)
  const isText = parts.length === content.length && parts.every((part) => typeof part['text'] === 'string')
  if (isText) return storableText(parts.map((part) => part['text']).join('\n'))
  return storableJson(parts.map((part) => ('source' in part ? { type: part['type'] } : part)))
}

/** Adds new tool calls to the state and removes those with a result. */
function withCalls(state: ClaudeCodeState, events: readonly AgentEvent[]): ClaudeCodeState {
  const begun = events.flatMap((event) =>
    event.type === 'tool-call' && event.callId !== undefined ? [{ id: event.callId, name: event.name }] : [],
  )
  const ended = new Set(events.flatMap((event) => (event.type === 'tool-result' ? [event.callId] : [])))
  if (begun.length === 0 && ended.size === 0) return state
  const calls = [...state.calls.filter((call) => !ended.has(call.id)), ...begun].slice(-MAX_CALLS)
  return { ...state, calls }
}

function contextOf(message: Fields): ClaudeCodeState['context'] {
  const model = textIn(message['model'])
  if (model === undefined || model === SYNTHETIC_MODEL || model.length > MAX_NAME) return undefined
  const tokens = inputOf(fieldsOf(message['usage']), TURN_FIELDS)
  return tokens === 0 ? undefined : { tokens, model: storableText(model) }
}

function blocksOf(content: unknown): readonly Fields[] {
  return Array.isArray(content) ? content.slice(0, MAX_BLOCKS).map(fieldsOf) : []
}

function callIdIn(value: unknown): string | undefined {
  const id = textIn(value)
  return id === undefined || id.length > MAX_NAME ? undefined : storableText(id)
}

function nameOf(name: string): string {
  return storableText(name.slice(0, MAX_NAME))
}
