import type { WireWaiting } from '../../../client/index.ts'
import { momentWords } from '../text/elapsed.ts'
import type { Look } from '../text/look.ts'
import { safeLine } from '../text/safe-text.ts'

const WHY_LIMIT = 160

/** What waits, and what to do. An approval expires at its time; what waits for quota or money continues then. */
export function waitingLines(
  waiting: WireWaiting,
  now: Date,
  { paint, hint }: Pick<Look, 'paint' | 'hint'>,
): readonly string[] {
  const { id, until, waitsFor } = waiting
  const next = safeLine(hint(waiting.next))
  const why = safeLine(waiting.why, WHY_LIMIT)
  const moment = until === undefined ? '' : ` until ${momentWords(new Date(until), now)}`
  if (waitsFor === 'capacity') return [`${paint('dim', 'waits')}: ${why}${moment} (${id})`]
  if (waitsFor !== 'person') {
    const more = waitsFor === 'quota' ? 'sooner' : 'more'
    return [`${paint('dim', `rests${moment}`)}: ${why} (${id})`, `  ${more}: ${next}`]
  }
  const when = moment === '' ? '' : ` (${moment.trimStart()})`
  return [`${paint('warn', 'waits for you')} ${id}: ${why}${when}`, `  try: ${next}`]
}

/** What waits of one job, below it: what its own state says already is left out. */
export function jobWaitingLines(
  waiting: readonly WireWaiting[],
  now: Date,
  look: Pick<Look, 'paint' | 'hint'>,
): readonly string[] {
  return waiting.flatMap((entry) => {
    const lines = waitingLines(entry, now, look)
    return entry.waitsFor === 'money' ? lines.slice(0, 1) : lines
  })
}
