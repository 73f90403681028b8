import type { WireEvent } from '../../../contract/event.ts'
import type { Paint, Tone } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'
import { type AgentLine, agentLines } from './agent-lines.ts'
import { eventWords } from './event-words.ts'

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
  switch (event.type) {
    case 'agent_message':
      return agentLines(event)
    case 'approval_requested':
      // What is asked for was said just before.
      return [
        { kind: 'ask', text: 'waits for you:' },
        { kind: 'ask', text: `  muster approve ${safeLine(event.data.approvalId)}` },
      ]
    case 'approval_decided':
    case 'session_suspended':
    case 'session_resumed':
      return [{ kind: 'note', text: eventWords(event)?.text ?? '' }]
    case 'task_progress': {
      const text = safeLine(event.data.message)
      return text === '' ? [] : [{ kind: event.data.source === 'check' ? 'tool' : 'text', text }]
    }
    default:
      return []
  }
}

/** Where there is no task: a planner, or whoever has a session of their own. */
function speakerLabel(event: WireEvent): string {
  if (event.cycle !== undefined) return `plan${event.cycle}`
  return event.type !== 'unknown' && 'agent' in event.data ? safeLine(event.data.agent) : 'session'
}
