import type { WireEvent } from '../../contract/event.ts'
import { clockTime } from './elapsed.ts'
import type { Paint } from './paint.ts'
import { safeLine } from './safe-text.ts'

/** An event as it is stored, on one line: place, time, type, task and data. */
export function rawEventLine(event: WireEvent, label: string | undefined, paint: Paint): string {
  const place = String(event.seq).padStart(5)
  const time = paint('dim', clockTime(new Date(event.at)))
  const subject = (label ?? (event.cycle === undefined ? '' : `c${event.cycle}`)).padEnd(6)
  const data = paint('dim', safeLine(JSON.stringify(event.data)))
  return `${place} ${time} ${safeLine(event.type).padEnd(22)} ${paint('accent', subject)} ${data}`
}
