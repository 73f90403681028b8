import { expect, it } from 'vitest'
import type { WireBase } from '../../client/index.ts'
import { footerLines } from '../render/live/footer-lines.ts'
import { createPaint } from '../render/text/paint.ts'
import { SAMPLE_AT, SAMPLE_JOB_ID, sampleEvent } from '../testing/sample-wire.ts'
import { openStandInApi } from '../testing/stand-in-api.ts'
import { watchBase } from './base-watch.ts'
import { firstProgress, nextProgress, type Progress } from './progress.ts'

const NOW = new Date(SAMPLE_AT)
const PLACE = { branch: 'main', commit: 'a'.repeat(40) }
const command = { command: 'npm ci', isSetup: true, number: 1, of: 1, isAgain: false }

const base = (running?: WireBase['running']): WireBase => ({
  ...{ jobId: SAMPLE_JOB_ID, ...PLACE, status: 'checking', results: [], choices: [] },
  ...(running === undefined ? {} : { running }),
})

it('shows which command of a base check runs, until the check has ended', async () => {
  const again = { command: 'npm test', isSetup: false, number: 2, of: 3, isAgain: true }
  // The second answer is a failure, which changes nothing.
  const answers = [base(command), undefined, base(), base(again)]
  await using api = await openStandInApi({
    answers: () => (answers.length > 1 ? answers.shift() : answers[0]),
  })
  let progress: Progress = firstProgress(NOW.getTime())
  const shown: string[] = []
  using _watch = watchBase(
    {
      jobId: SAMPLE_JOB_ID,
      client: () => api.client,
      progress: () => progress,
      show: (next) => {
        progress = next
        shown.push(...footerLines(next, NOW.getTime(), { width: 60 }, createPaint(false), '').slice(1))
      },
      now: () => NOW,
    },
    1,
  )
  const begun = sampleEvent('base_checking', { data: { ...PLACE, setup: ['npm ci'], checks: ['npm test'] } })
  progress = nextProgress(progress, begun, undefined)
  await expect.poll(() => shown.at(-1)).toMatch(/^base +0s check 2 of 3, again: npm test/)
  expect(shown[0]).toMatch(/^base +0s setup 1 of 1: npm ci/)
  const ended = sampleEvent('base_checked', { data: { ...PLACE, outcome: 'passed' } })
  expect(nextProgress(progress, ended, undefined).active).toEqual([])
})
