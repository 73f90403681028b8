import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_RUN_ID, sampleRun } from '../testing/sample-run.ts'
import { SAMPLE_JOB_ID, sampleJob, sampleNames } from '../testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)

function run(...words: readonly string[]) {
  const answers: Readonly<Record<string, unknown>> = {
    '/api/orchestrator': { items: [sampleJob()] },
    '/api/runs': { items: [sampleRun()] },
    [`/api/runs/${SAMPLE_RUN_ID}`]: sampleRun(),
    '/api/playbooks': { items: [] },
    '/api/names': sampleNames(),
  }
  return trial.run({ answers: (_, path) => answers[path] }, words)
}

it.each([[['list', 'runs']], [['list', 'run', '--job', SAMPLE_JOB_ID]], [['runs', 'list']], [['runs']]])(
  '%j lists runs',
  async (words) => {
    const printed = await run(...words)
    expect(printed).toMatchObject({ code: 0, requests: ['GET /api/runs'] })
    expect(printed.out).toContain('reviewed')
  },
)

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
