import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { firstProgress, nextProgress } from '../follow/progress.ts'
import { SAMPLE_TASK_ID, sampleEvent } from '../testing/sample-wire.ts'
import { openLiveView } from './live-view.ts'
import { createPaint } from './paint.ts'

const HIDE_CURSOR = '[?25l'
const SHOW_CURSOR = '[?25h'

it('prints lines above a foot that stays, and leaves the terminal with its cursor', async () => {
  const chunks: string[] = []
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 })
  stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  const text = () => chunks.join('')
  const now = () => new Date(Date.parse(sampleEvent('').at) + 3_000)
  {
    await using view = await openLiveView(
      { stdout, paint: createPaint(false), now, hint: '' },
      firstProgress(0),
    )
    const started = sampleEvent('task_started', { cycle: 1, taskId: SAMPLE_TASK_ID })
    view.show(nextProgress(firstProgress(0), started, { label: 't1-1', description: 'Fix it' }))
    await expect.poll(text).toMatch(/t1-1 +3s Fix it/)
    view.print('a line of the log')
    await expect.poll(text).toContain('a line of the log\n')
  }
  expect(text()).toContain(HIDE_CURSOR)
  expect(text().lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(text().lastIndexOf(HIDE_CURSOR))
})
