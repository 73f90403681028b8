import type { WireEvent, WireEventOf } from '../../../contract/event.ts'
import { isVerdict } from '../../../domain/review/verdict.ts'
import type { Hint } from '../../hint.ts'
import type { Paint, Tone } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'
import type { AgentLine } from './agent-line.ts'
import { agentLines, linesOf } from './agent-lines.ts'
import { eventWords } from './event-words.ts'
import { markSetup } from './mark-setup.ts'
import { stageEndedWords } from './stage-words.ts'
import type { ResultDetail } from './tool-result-lines.ts'

const TONES = {
  text: 'plain',
  thought: 'dim',
  tool: 'dim',
  ask: 'warn',
  error: 'warn',
  note: 'dim',
  setup: 'dim',
  person: 'strong',
  result: 'dim',
  verdict: 'strong',
} as const satisfies Record<AgentLine['kind'], Tone>

const MARKS = {
  text: '',
  thought: '~ ',
  tool: '* ',
  ask: '? ',
  error: '! ',
  note: '- ',
  setup: 'setup: ',
  person: '> ',
  result: '= ',
  verdict: '',
} as const satisfies Record<AgentLine['kind'], string>

/**
 * What was said in one event, with the name of the task before each line. `inSetup` keeps the sessions that are running
 * their setup commands from one event to the next. `hint` completes Muster's own commands; what others say stays as it
 * is.
 */
export function transcriptLines(
  event: WireEvent,
  label: string | undefined,
  paint: Paint,
  inSetup: Set<string> = new Set(),
  hint: Hint = (text) => text,
  detail: ResultDetail = 'normal',
): readonly string[] {
  const name = label ?? speakerLabel(event)
  return markSetup(spokenLines(event, detail), event.sessionId ?? '', inSetup).map(
    ({ kind, text, isCommand }) => {
      const words = isCommand === true ? hint(text) : text
      // No agent can write a line that begins like this.
      const prefix = kind === 'verdict' ? `[muster] ${name}:` : `[${name}]`
      return `${paint('accent', prefix)} ${paint(TONES[kind], MARKS[kind] + words)}`
    },
  )
}

/** What was said in one event. */
export function spokenLines(event: WireEvent, detail: ResultDetail = 'normal'): readonly AgentLine[] {
  switch (event.type) {
    case 'agent_message':
      return agentLines(event, detail)
    case 'stage_ended':
      return verdictLines(event)
    case 'session_prompted':
      return linesOf('person', event.data.text)
    case 'approval_requested':
      return requestLines(event)
    case 'message_sent':
      return messageLines(event)
    case 'session_undelivered': {
      const { text = '', see = '' } = eventWords(event) ?? {}
      return [text, `  ${see}`].map((line) => ({ kind: 'error', text: line }))
    }
    case 'approval_decided':
    case 'session_suspended':
    case 'session_resumed':
    case 'session_delivered':
      return [{ kind: 'note', text: eventWords(event)?.text ?? '' }]
    case 'task_progress': {
      const { source, message } = event.data
      if (source === 'check') return linesOf('tool', message)
      const text = safeLine(message)
      return text === '' ? [] : [{ kind: 'text', text }]
    }
    default:
      return []
  }
}

function verdictLines(event: WireEventOf<'stage_ended'>): readonly AgentLine[] {
  return isVerdict(event.data.outcome) ? [{ kind: 'verdict', text: stageEndedWords(event).text }] : []
}

function messageLines(event: WireEventOf<'message_sent'>): readonly AgentLine[] {
  if (event.data.from === 'person') return linesOf('person', event.data.text)
  const { text = '', next = [] } = eventWords(event) ?? {}
  const commands = next.map((line) => ({ kind: 'ask', text: `  ${line}`, isCommand: true }) as const)
  return commands.length === 0 ? [] : [{ kind: 'ask', text }, ...commands]
}

/** The line before shows what the agent asks for, and the next event whether a rule allows it. */
function requestLines({ data }: WireEventOf<'approval_requested'>): readonly AgentLine[] {
  if (data.ruleId !== undefined) return []
  return [
    { kind: 'ask', text: 'waiting for you:' },
    { kind: 'ask', text: `  muster approve ${safeLine(data.approvalId)}`, isCommand: true },
  ]
}

/** The label of an event without a task: a discovery, or a personal session. */
function speakerLabel(event: WireEvent): string {
  if (event.cycle !== undefined) return `plan${event.cycle}`
  return event.type !== 'unknown' && 'agent' in event.data ? safeLine(event.data.agent) : 'session'
}
