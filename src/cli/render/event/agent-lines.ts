import type { WireEventOf } from '../../../contract/event.ts'
import type { WireTurnOutcome } from '../../../contract/turn-outcome.ts'
import { turnWords } from '../session/session-words.ts'
import { safeLine, safeText } from '../text/safe-text.ts'
import { planWords } from './plan-words.ts'
import { inputWords, toolWords } from './tool-words.ts'

export type AgentLine = {
  readonly kind: 'text' | 'thought' | 'tool' | 'ask' | 'error' | 'note'
  readonly text: string
}

/** What an agent said or did in one event, as safe lines for people; none for bookkeeping. */
export function agentLines({ data }: WireEventOf<'agent_message'>): readonly AgentLine[] {
  switch (data.type) {
    case 'text':
      // A planner answers with JSON, which is for the engine; people get what it thought.
      return linesOf('text', (data.role === 'planner' ? planWords(data.text) : undefined) ?? data.text)
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
      return [{ kind: 'error', text: `(${data.droppedBytes} bytes of output were left out)` }]
    case 'usage':
    case 'result':
      return []
  }
}

/** A turn that did not go well is said louder. */
function turnLine(outcome: WireTurnOutcome): AgentLine {
  const isFine = outcome.type === 'done' || outcome.type === 'interrupted'
  return { kind: isFine ? 'note' : 'error', text: `turn over: ${turnWords(outcome)}` }
}

function linesOf(kind: AgentLine['kind'], text: string): readonly AgentLine[] {
  const lines = safeText(text).split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => ({ kind, text: line.trimEnd() }))
}
