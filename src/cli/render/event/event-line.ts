import type { WireEvent } from '../../../contract/event.ts'
import { clockTime } from '../text/elapsed.ts'
import type { Paint } from '../text/paint.ts'
import { type Detail, eventWords } from './event-words.ts'

const NEXT_INDENT = ' '.repeat(16)

/**
 * One event as one line for people: when, about what, and what happened, with the command that it waits for below.
 * Nothing when this much detail was not asked for. `label` names the task the event is about (t1-2).
 */
export function eventLine(
  event: WireEvent,
  label: string | undefined,
  paint: Paint,
  detail: Detail,
): string | undefined {
  const words = eventWords(event)
  if (words === undefined || (words.from === 'verbose' && detail !== 'verbose')) return undefined
  const time = paint('dim', clockTime(new Date(event.at)))
  const line = `${time} ${paint('accent', (label ?? subjectOf(event)).padEnd(6))} ${paint(words.tone, words.text)}`
  return words.next === undefined ? line.trimEnd() : `${line.trimEnd()}\n${NEXT_INDENT}${words.next}`
}

function subjectOf(event: WireEvent): string {
  if (event.type === 'landing_landed' || event.type === 'landing_rejected') {
    if (event.data.base !== undefined) return 'base'
  }
  if (/^(?:cycle_|document_taken_up)/.test(event.type)) return `c${event.cycle ?? '?'}`
  if (/^(?:job|document|budget)_/.test(event.type)) return 'job'
  return event.cycle === undefined ? 'job' : `plan${event.cycle}`
}
