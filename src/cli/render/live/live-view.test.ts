import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { firstProgress, nextProgress } from '../../follow/progress.ts'
import { SAMPLE_AT, SAMPLE_TASK_ID, sampleEvent } from '../../testing/sample-wire.ts'
import { createPaint } from '../text/paint.ts'
import { eraseOverflow } from './erase-overflow.ts'
import { openLiveView } from './live-view.ts'

const HIDE_CURSOR = '[?25l'
const SHOW_CURSOR = '[?25h'

/** What a terminal shows in the end, if it knows the few sequences that the view uses. */
function screenOf(text: string): readonly string[] {
  const rows = ['']
  let row = 0
  for (const [part] of text.matchAll(
    new RegExp(`${String.fromCharCode(27)}\\[[?0-9]*[A-Za-z]|\\n|[^\\n${String.fromCharCode(27)}]+`, 'g'),
  )) {
    if (part === '\n') row += 1
    else if (part.endsWith('[1A')) row -= 1
    else if (part.endsWith('[2K')) rows[row] = ''
    else if (!part.startsWith(String.fromCharCode(27))) rows[row] = (rows[row] ?? '') + part
    rows[row] ??= ''
  }
  return rows.filter((line) => line !== '')
}

it('erases what a narrower terminal breaks, and nothing else', () => {
  const up = `${String.fromCharCode(27)}[1A${String.fromCharCode(27)}[2K`
  const lines = ['x'.repeat(119), createPaint(true)('good', 'y'.repeat(60)), '']
  expect(eraseOverflow(lines, 120)).toBe('')
  expect(eraseOverflow(lines, 60)).toBe(up)
  expect(eraseOverflow(lines, 40)).toBe(up.repeat(3))
})

it('prints lines above a footer, and removes the footer and restores the cursor at the end', async () => {
  const chunks: string[] = []
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  const text = () => chunks.join('')
  let elapsedMs = 3_000
  const now = () => new Date(Date.parse(SAMPLE_AT) + elapsedMs)
  {
    await using view = await openLiveView(
      { stdout, paint: createPaint(false), now, hint: '' },
      firstProgress(0),
    )
    const started = sampleEvent('task_started', { cycle: 1, taskId: SAMPLE_TASK_ID })
    view.show(nextProgress(firstProgress(0), started, { label: 't1-1', description: 'Fix it' }))
    await expect.poll(text).toMatch(/t1-1 +3s ada Fix it/)
    view.print('a line of the log')
    await expect.poll(text).toContain('a line of the log\n')
    // Ink delays the second drawing. By then, nothing may be drawn any more.
    for (const [index, event] of [started, started].entries()) {
      elapsedMs = 4_000 + index * 1_000
      view.show(nextProgress(firstProgress(0), event, { label: 't1-2', description: 'Fix more' }))
    }
  }
  expect(screenOf(text())).toEqual(['a line of the log'])
  expect(text()).toContain(HIDE_CURSOR)
  expect(text().lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(text().lastIndexOf(HIDE_CURSOR))
})
