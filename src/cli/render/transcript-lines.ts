import type { WireEvent } from '../../contract/event.ts'
import { type AgentLine, agentLines } from './agent-lines.ts'
import { textOf } from './event-data.ts'
import { eventWords } from './event-line.ts'
import type { Paint, Tone } from './paint.ts'

const TONES = {
  text: 'plain',
  thought: 'dim',
  tool: 'dim',
  ask: 'warn',
  error: 'warn',
  note: 'dim',
} as const satisfies Record<AgentLine['kind'], Tone>

const MARKS = {
  text: '',
  thought: '~ ',
  tool: '* ',
  ask: '? ',
  error: '! ',
  note: '- ',
} as const satisfies Record<AgentLine['kind'], string>

/** Events that belong into a transcript beside what was said. */
const NOTED: ReadonlySet<string> = new Set(['approval_decided', 'session_suspended', 'session_resumed'])

/** What was said in one event, each line with the name of the task before it. */
export function transcriptLines(
  event: WireEvent,
  label: string | undefined,
  paint: Paint,
): readonly string[] {
  const prefix = paint('accent', `[${label ?? speakerLabel(event)}]`)
  return spokenLines(event).map(
    (line) => `${prefix} ${paint(TONES[line.kind], MARKS[line.kind] + line.text)}`,
  )
}

function spokenLines(event: WireEvent): readonly AgentLine[] {
  if (event.type === 'agent_message') return agentLines(event)
  // What is asked for was said just before.
  if (event.type === 'approval_requested')
    return [
      { kind: 'ask', text: 'waits for you:' },
      { kind: 'ask', text: `  muster approve ${textOf(event, 'approvalId')}` },
    ]
  if (NOTED.has(event.type)) return [{ kind: 'note', text: eventWords(event) }]
  if (event.type !== 'task_progress') return []
  const text = textOf(event, 'message', 'text')
  return text === '' ? [] : [{ kind: event.data['source'] === 'check' ? 'tool' : 'text', text }]
}

/** Where there is no task: a planner, or whoever has a session of their own. */
function speakerLabel(event: WireEvent): string {
  if (event.cycle !== undefined) return `plan${event.cycle}`
  return textOf(event, 'agent') || 'session'
}
