import type { Progress } from '../../follow/progress.ts'
import { elapsed } from '../text/elapsed.ts'
import type { Paint } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'

const SHOWN_TASKS = 8
const DESCRIPTION_WIDTH = 36

/** The foot of a live view: what is being worked on and for how long. Every line fits into `width`. */
export function footerLines(
  progress: Progress,
  now: number,
  width: number,
  paint: Paint,
  hint: string,
): readonly string[] {
  const shown = progress.active.slice(0, SHOWN_TASKS)
  const hidden = progress.active.length - shown.length
  const more = hidden > 0 ? [paint('dim', `and ${hidden} more`)] : []
  return [
    headLine(progress, now, width, paint, hint),
    ...shown.map((task) => taskLine(task, now, width, paint)),
    ...more,
  ]
}

function headLine(progress: Progress, now: number, width: number, paint: Paint, hint: string): string {
  const parts = [
    `cycle ${progress.cycle}`,
    progress.phase,
    elapsed(now - progress.since),
    `${progress.landed} completed`,
    ...(progress.waiting.length > 0 ? [waitWords(progress.waiting.length)] : []),
    ...(progress.failed > 0 ? [`${progress.failed} not landed`] : []),
    hint,
  ]
  return paint('dim', safeLine(parts.join(' · '), width))
}

function waitWords(count: number): string {
  return `${count} ${count === 1 ? 'waits' : 'wait'} for you`
}

function taskLine(task: Progress['active'][number], now: number, width: number, paint: Paint): string {
  const label = task.name.label.padEnd(6)
  const time = elapsed(now - task.since).padStart(6)
  const description = safeLine(task.name.description, DESCRIPTION_WIDTH).padEnd(DESCRIPTION_WIDTH)
  const room = width - label.length - time.length - description.length - 3
  const doing = room > 8 ? safeLine(task.doing, room) : ''
  return `${paint('accent', label)} ${time} ${description} ${paint('dim', doing)}`.trimEnd()
}
