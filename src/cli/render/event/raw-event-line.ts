import type { WireEvent } from '../../../contract/event.ts'
import { clockTime } from '../text/elapsed.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'

/** An event as the daemon sent it, even if this version doesn't know its type. */
export function rawEvent(event: WireEvent) {
  return event.type === 'unknown' ? event.raw : event
}

/** An event as it is stored, on one line: sequence number, time, type, task and data. */
export function rawEventLine(event: WireEvent, label: string | undefined, paint: Paint): string {
  const { type, data } = rawEvent(event)
  const place = String(event.seq).padStart(5)
  const time = paint('dim', clockTime(new Date(event.at)))
  const subject = (label ?? (event.cycle === undefined ? '' : `c${event.cycle}`)).padEnd(6)
  const shown = paint('dim', safeLine(JSON.stringify(data)))
  return `${place} ${time} ${safeLine(type).padEnd(22)} ${paint('accent', subject)} ${shown}`
}
