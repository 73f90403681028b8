import type { WireEventOf } from '../../../contract/event.ts'
import type { WireTurnOutcome } from '../../../contract/session-end.ts'
import { describeDroppedOutput } from '../../../domain/session/describe-dropped-output.ts'
import { turnWords } from '../session/session-words.ts'
import { counted } from '../text/counted.ts'
import { safeLine, safeText } from '../text/safe-text.ts'
import { inputWords, toolWords } from './tool-words.ts'

const FENCE = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/

export type AgentLine = {
  readonly kind: 'text' | 'thought' | 'tool' | 'ask' | 'error' | 'note' | 'setup' | 'person'
  readonly text: string
}

/** What an agent said or did in one event, as safe lines for people. Some events have none. */
export function agentLines(event: WireEventOf<'agent_message'>): readonly AgentLine[] {
  const { data } = event
  switch (data.type) {
    case 'text':
      // The JSON that answers a discovery is for the engine. People get its reasoning.
      return linesOf('text', (isDiscovery(event) ? planWords(data.text) : undefined) ?? data.text)
    case 'thought':
      return linesOf('thought', data.text)
    case 'error-output':
      return linesOf('error', data.text)
    case 'session': {
      const model = data.model === undefined ? '' : `, model ${safeLine(data.model)}`
      return [{ kind: 'note', text: `conversation ${safeLine(data.providerSessionId)}${model}` }]
    }
    case 'tool-call':
      return [{ kind: 'tool', text: toolWords(data.name, data.input, 'main') }]
    case 'tool-result':
      return data.failed === true
        ? [{ kind: 'error', text: `${safeLine(data.name)} failed: ${inputWords(data.output, 'all')}` }]
        : []
    case 'permission-request':
      return [{ kind: 'ask', text: `asks to use ${toolWords(data.tool, data.input, 'all')}` }]
    case 'turn-end':
      return [turnLine(data.outcome)]
    case 'truncation':
      return [{ kind: 'error', text: `(${describeDroppedOutput(data.droppedBytes, data.mayBeMore)})` }]
    case 'usage':
    case 'result':
      return []
  }
}

/** A turn that failed is an error; the end of any other turn is a note. */
function turnLine(outcome: WireTurnOutcome): AgentLine {
  const isFine = outcome.type === 'done' || outcome.type === 'interrupted'
  return {
    kind: isFine ? 'note' : 'error',
    text: outcome.type === 'done' ? 'turn ended' : `turn ended: ${turnWords(outcome)}`,
  }
}

export function linesOf(kind: AgentLine['kind'], text: string): readonly AgentLine[] {
  const lines = safeText(text).split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => ({ kind, text: line.trimEnd() }))
}

/** A discovery belongs to a cycle, but to no task. A personal session belongs to neither. */
function isDiscovery({ taskId, cycle }: WireEventOf<'agent_message'>): boolean {
  return taskId === undefined && cycle !== undefined
}

/** The answer to a discovery, for people: its reasoning, or the number of tasks. Undefined for any other text. */
function planWords(text: string): string | undefined {
  const trimmed = text.trim()
  const plain = FENCE.exec(trimmed)?.[1]?.trim() ?? trimmed
  if (!plain.startsWith('{') || !plain.endsWith('}')) return undefined
  const answer = parseAnswer(plain)
  if (answer === undefined) return undefined
  const { tasks, done, reasoning } = answer
  if (!Array.isArray(tasks) && done !== true) return undefined
  if (typeof reasoning === 'string' && reasoning.trim() !== '') return reasoning
  return done === true
    ? 'nothing is left to do'
    : `planned ${counted(Array.isArray(tasks) ? tasks.length : 0, 'task')}`
}

type Answer = { readonly tasks?: unknown; readonly done?: unknown; readonly reasoning?: unknown }

function parseAnswer(text: string): Answer | undefined {
  try {
    return JSON.parse(text) as Answer
  } catch (error) {
    // Text that is not JSON is something the agent said.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
