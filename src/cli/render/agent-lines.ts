import type { WireEvent } from '../../contract/event.ts'
import { safeLine, safeText } from './safe-text.ts'

export type AgentLine = { readonly kind: 'text' | 'tool' | 'error'; readonly text: string }

const TOOL_INPUT_LIMIT = 160

/** What an agent said or did in one event, as safe lines for people; none for bookkeeping. */
export function agentLines(event: WireEvent): readonly AgentLine[] {
  const said = spoken(event)
  switch (said['type']) {
    case 'text':
      return linesOf('text', said['text'])
    case 'error-output':
      return linesOf('error', said['text'])
    case 'tool-call':
      return [{ kind: 'tool', text: `${safeLine(String(said['name']))} ${brief(said['input'])}`.trim() }]
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

function linesOf(kind: AgentLine['kind'], text: unknown): readonly AgentLine[] {
  if (typeof text !== 'string') return []
  const lines = safeText(text).split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => ({ kind, text: line.trimEnd() }))
}

function brief(input: unknown): string {
  if (input === undefined) return ''
  return safeLine(typeof input === 'string' ? input : JSON.stringify(input), TOOL_INPUT_LIMIT)
}
