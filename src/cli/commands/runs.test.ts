import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { WireRun } from '../../client/index.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_RUN_ID, sampleRun } from '../testing/sample-run.ts'
import { SAMPLE_AT, SAMPLE_JOB_ID, sampleJob, sampleNames, sampleTask } from '../testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)

function run(...words: readonly string[]) {
  return runWith(sampleRun(), words)
}

function runWith(shown: WireRun, words: readonly string[]) {
  const answers: Readonly<Record<string, unknown>> = {
    '/api/orchestrator': { items: [sampleJob()] },
    '/api/runs': { items: [shown] },
    [`/api/runs/${SAMPLE_RUN_ID}`]: shown,
    '/api/tasks': { items: [sampleTask()] },
    '/api/playbooks': { items: [] },
    '/api/names': sampleNames(),
  }
  return trial.run({ answers: (_, path) => answers[path] }, words)
}

it.each([[['list', 'runs']], [['list', 'run', '--job', SAMPLE_JOB_ID]], [['runs', 'list']], [['runs']]])(
  '%j lists runs',
  async (words) => {
    const printed = await run(...words)
    expect(printed.code).toBe(0)
    expect(printed.requests[0]).toBe('GET /api/runs')
    expect(printed.out).toContain('reviewed')
  },
)

it('says that a run is paused, and that its work has landed', async () => {
  expect((await run('runs')).out).toContain(' paused ')
  const ended = sampleRun({ status: 'ended', end: 'land', endedAt: SAMPLE_AT })
  expect((await runWith(ended, ['runs'])).out).toContain(' landed ')
})

it('lists playbooks with muster list, too', async () => {
  expect(await run('list', 'playbooks')).toMatchObject({ code: 0, requests: ['GET /api/playbooks'] })
})

it('shows the newest run without an ID', async () => {
  const printed = await run('runs', 'show')
  expect(printed.code).toBe(0)
  expect(printed.requests.at(-1)).toBe(`GET /api/runs/${SAMPLE_RUN_ID}`)
})

it('suggests what was meant for an unknown command of the group', async () => {
  const printed = await run('runs', 'shwo', SAMPLE_RUN_ID)
  expect(printed).toMatchObject({ code: 2, out: '' })
  expect(printed.err).toMatch(/there is no command "runs shwo"\n {2}try: muster runs show run_\w+ /)
})
