import type { WireEvent } from '../../contract/event.ts'
import { turnOutcomeSchema } from '../../contract/turn-outcome.ts'
import { safeLine, safeText } from './safe-text.ts'
import { turnWords } from './session-words.ts'

export type AgentLine = {
  readonly kind: 'text' | 'thought' | 'tool' | 'ask' | 'error' | 'note'
  readonly text: string
}

const TOOL_INPUT_LIMIT = 160

/** What an agent said or did in one event, as safe lines for people; none for bookkeeping. */
export function agentLines(event: WireEvent): readonly AgentLine[] {
  const said = spoken(event)
  switch (said['type']) {
    case 'text':
      return linesOf('text', said['text'])
    case 'thought':
      return linesOf('thought', said['text'])
    case 'error-output':
      return linesOf('error', said['text'])
    case 'session':
      return [{ kind: 'note', text: conversationWords(said) }]
    case 'tool-call':
      return [{ kind: 'tool', text: `${nameIn(said, 'name')} ${brief(said['input'])}`.trim() }]
    case 'tool-result':
      return said['failed'] === true
        ? [{ kind: 'error', text: `${nameIn(said, 'name')} failed: ${brief(said['output'])}` }]
        : []
    case 'permission-request':
      return [{ kind: 'ask', text: `asks to use ${nameIn(said, 'tool')} ${brief(said['input'])}`.trim() }]
    case 'turn-end':
      return turnLines(said['outcome'])
    case 'truncation':
      return [{ kind: 'error', text: `(${String(said['droppedBytes'])} bytes of output were left out)` }]
    default:
      return []
  }
}

/** The agent's own event is the data of ours, or one field of it. */
function spoken(event: WireEvent): Readonly<Record<string, unknown>> {
  const inner = event.data['event']
  return typeof inner === 'object' && inner !== null
    ? (inner as Readonly<Record<string, unknown>>)
    : event.data
}

function nameIn(said: Readonly<Record<string, unknown>>, field: string): string {
  return safeLine(String(said[field]))
}

function conversationWords(said: Readonly<Record<string, unknown>>): string {
  const model = typeof said['model'] === 'string' ? `, model ${safeLine(said['model'])}` : ''
  return `conversation ${nameIn(said, 'providerSessionId')}${model}`
}

/** A turn that did not go well is said louder. */
function turnLines(outcome: unknown): readonly AgentLine[] {
  const turn = turnOutcomeSchema.safeParse(outcome)
  if (!turn.success) return []
  const isFine = turn.data.type === 'done' || turn.data.type === 'interrupted'
  return [{ kind: isFine ? 'note' : 'error', text: `turn over: ${turnWords(turn.data)}` }]
}

function linesOf(kind: AgentLine['kind'], text: unknown): readonly AgentLine[] {
  if (typeof text !== 'string') return []
  const lines = safeText(text).split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => ({ kind, text: line.trimEnd() }))
}

function brief(input: unknown): string {
  if (input === undefined) return ''
  return safeLine(typeof input === 'string' ? input : JSON.stringify(input), TOOL_INPUT_LIMIT)
}
