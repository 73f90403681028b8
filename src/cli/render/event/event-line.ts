import type { WireEvent } from '../../../contract/event.ts'
import type { Hint } from '../../hint.ts'
import { clockTime } from '../text/elapsed.ts'
import type { Paint } from '../text/paint.ts'
import { eventWords } from './event-words.ts'
import type { Detail } from './words.ts'

const NEXT_INDENT = ' '.repeat(16)
const LABEL_WIDTH = 6
/** A command that would end beyond this column gets its own line, because commands are never wrapped. */
const COLUMNS = 80

/**
 * One event as a line for people: when, about what, and what happened. If something waits for the person, the commands
 * are on the next lines. Undefined if the event is not shown at this level of detail. `label` names the event's task
 * (t1-2), and `hint` completes the commands.
 */
export function eventLine(
  event: WireEvent,
  label: string | undefined,
  paint: Paint,
  detail: Detail,
  hint: Hint = (text) => text,
): string | undefined {
  const words = eventWords(event)
  if (words === undefined || (words.from === 'verbose' && detail !== 'verbose')) return undefined
  const time = paint('dim', clockTime(new Date(event.at)))
  const subject = (label ?? subjectOf(event)).padEnd(LABEL_WIDTH)
  const see = words.see === undefined ? '' : `see: ${hint(words.see)}`
  const isLong = NEXT_INDENT.length + `${words.text}; ${see}`.length > COLUMNS
  const text = see === '' || isLong ? words.text : `${words.text}; ${see}`
  const line = `${time} ${paint('accent', subject)} ${paint(words.tone, text)}`
  const next = [...(words.next ?? []).map((command) => hint(command)), ...(isLong && see !== '' ? [see] : [])]
  const more = [...(words.lines ?? []), ...next]
  return [line.trimEnd(), ...more.map((rest) => `${NEXT_INDENT}${rest}`)].join('\n')
}

function subjectOf(event: WireEvent): string {
  if (event.type === 'landing_landed' || event.type === 'landing_rejected') {
    if (event.data.base !== undefined) return 'base'
  }
  if (event.type.startsWith('base_')) return 'base'
  if (/^(?:cycle_|document_applied)/.test(event.type)) return `c${event.cycle ?? '?'}`
  if (/^(?:job|document|budget)_/.test(event.type)) return 'job'
  return event.cycle === undefined ? 'job' : `plan${event.cycle}`
}
