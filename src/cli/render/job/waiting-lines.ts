import type { WireWaiting } from '../../../client/index.ts'
import type { Display } from '../text/display.ts'
import { momentWords } from '../text/elapsed.ts'
import { safeLine } from '../text/safe-text.ts'

const WHY_LIMIT = 200

/** What is waiting, and what to do. At `until`, an approval expires; a wait for quota or money ends. */
export function waitingLines(
  waiting: WireWaiting,
  now: Date,
  { paint, hint }: Pick<Display, 'paint' | 'hint'>,
): readonly string[] {
  const { id, until, waitsFor } = waiting
  const next = safeLine(hint(waiting.next))
  const why = safeLine(waiting.why, WHY_LIMIT)
  const moment = until === undefined ? '' : ` until ${momentWords(new Date(until), now)}`
  if (waitsFor === 'capacity') return [`${paint('dim', `waiting${moment}`)}: ${why} (${id})`]
  if (waitsFor !== 'person') {
    const act = waitsFor === 'quota' || waitsFor === 'network' ? 'resume now' : 'details'
    return [`${paint('dim', `waiting${moment}`)}: ${why} (${id})`, `  ${act}: ${next}`]
  }
  const expiry = until === undefined ? '' : `, expires ${momentWords(new Date(until), now)}`
  return [`${paint('warn', 'waiting for you')}: ${why} (${id}${expiry})`, `  try: ${next}`]
}

/** What is waiting in one job, without the command to show that job. */
export function jobWaitingLines(
  waiting: readonly WireWaiting[],
  now: Date,
  display: Pick<Display, 'paint' | 'hint'>,
): readonly string[] {
  return waiting.flatMap((entry) => {
    const lines = waitingLines(entry, now, display)
    return entry.waitsFor === 'money' ? lines.slice(0, 1) : lines
  })
}
