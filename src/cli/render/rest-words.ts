import type { WireEvent } from '../../contract/event.ts'
import { momentWords } from './elapsed.ts'
import { headOf, textOf } from './event-data.ts'

/** Why a session rests, as its event tells: "waits for quota until 14:05". */
export function restWords(event: Pick<WireEvent, 'data' | 'at'>): string {
  if (textOf(event, 'why') !== 'limited') {
    const reason = headOf(event, 'reason')
    return reason === '' ? 'is suspended' : `is suspended: ${reason}`
  }
  const until = Date.parse(textOf(event, 'until'))
  return Number.isNaN(until)
    ? 'waits for quota'
    : `waits for quota until ${momentWords(new Date(until), new Date(event.at))}`
}
