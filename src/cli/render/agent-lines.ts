import type { WireEvent } from '../../contract/event.ts'
import { turnOutcomeSchema } from '../../contract/turn-outcome.ts'
import { planWords } from './plan-words.ts'
import { safeLine, safeText } from './safe-text.ts'
import { turnWords } from './session-words.ts'
import { inputWords, toolWords } from './tool-words.ts'

export type AgentLine = {
  readonly kind: 'text' | 'thought' | 'tool' | 'ask' | 'error' | 'note'
  readonly text: string
}

/** What an agent said or did in one event, as safe lines for people; none for bookkeeping. */
export function agentLines(event: WireEvent): readonly AgentLine[] {
  const said = spoken(event)
  switch (said['type']) {
    case 'text':
      return linesOf('text', textOrPlan(event, said['text']))
    case 'thought':
      return linesOf('thought', said['text'])
    case 'error-output':
      return linesOf('error', said['text'])
    case 'session':
      return [{ kind: 'note', text: conversationWords(said) }]
    case 'tool-call':
      return [{ kind: 'tool', text: toolWords(said['name'], said['input'], 'main') }]
    case 'tool-result':
      return said['failed'] === true
        ? [{ kind: 'error', text: `${nameIn(said, 'name')} failed: ${inputWords(said['output'], 'all')}` }]
        : []
    case 'permission-request':
      return [{ kind: 'ask', text: `asks to use ${toolWords(said['tool'], said['input'], 'all')}` }]
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

/** A planner answers with JSON, which is for the engine; people get what it thought. */
function textOrPlan(event: WireEvent, text: unknown): unknown {
  const isWorker = event.data['role'] !== undefined && event.data['role'] !== 'planner'
  return typeof text === 'string' && !isWorker ? (planWords(text) ?? text) : text
}
