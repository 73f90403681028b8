import type { WireEvent } from '../../contract/event.ts'
import { type AgentLine, agentLines } from './agent-lines.ts'
import { textOf } from './event-data.ts'
import type { Paint, Tone } from './paint.ts'

const TONES = { text: 'plain', tool: 'dim', error: 'warn' } as const satisfies Record<AgentLine['kind'], Tone>
const MARKS = { text: '', tool: '* ', error: '! ' } as const satisfies Record<AgentLine['kind'], string>

/** What was said in one event, each line with the name of the task before it. */
export function transcriptLines(
  event: WireEvent,
  label: string | undefined,
  paint: Paint,
): readonly string[] {
  const prefix = paint('accent', `[${label ?? plannerLabel(event)}]`)
  return spokenLines(event).map(
    (line) => `${prefix} ${paint(TONES[line.kind], MARKS[line.kind] + line.text)}`,
  )
}

function spokenLines(event: WireEvent): readonly AgentLine[] {
  if (event.type === 'agent_message') return agentLines(event)
  const text = textOf(event, 'message', 'text')
  return text === '' ? [] : [{ kind: event.data['source'] === 'check' ? 'tool' : 'text', text }]
}

function plannerLabel(event: WireEvent): string {
  return event.cycle === undefined ? 'plan' : `plan${event.cycle}`
}
