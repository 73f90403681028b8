import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { createCommandTrial } from './testing/command-trial.ts'
import { SAMPLE_RUN_ID, sampleRun } from './testing/sample-run.ts'
import { SAMPLE_JOB_ID, sampleJob } from './testing/sample-wire.ts'
import { Refused } from './testing/stand-in-api.ts'

const trial = createCommandTrial(temporaryDirectory)

const cancelled = (...commands: readonly string[]) =>
  sampleRun({ status: 'cancelled', next: commands.map((command) => ({ purpose: 'p', command })) })

async function stop(run: ReturnType<typeof sampleRun>, programs: number): Promise<string> {
  const stopped = { run, ended: 'job', programs }
  const answers = (_: string, path: string) => (path.endsWith('/stop') ? stopped : undefined)
  return (await trial.run({ answers }, ['stop', SAMPLE_RUN_ID])).out
}

it('offers the work of a stopped run only if there may be some', async () => {
  expect(await stop(cancelled(), 0)).not.toContain('recover')
  expect(await stop(cancelled(`muster recover ${SAMPLE_RUN_ID}`), 0)).toMatch(/recover run_\w+\n/)
  expect(await stop(cancelled(), 1)).toMatch(
    /work that its programs leave, if any: muster .*recover job_\w+\n/,
  )
})

it('names the run that can be resumed instead of its ended job', async () => {
  const playbook = { name: 'reviewed', hash: 'h', inputs: {}, cast: {} }
  const job = sampleJob({ status: 'cancelled', playbook })
  const error = { type: 'illegal-transition', message: 'The job was cancelled.', next: 'muster run' }
  const answers = (_: string, path: string) => {
    if (path.endsWith('/resume')) return new Refused(409, { success: false, error })
    return path === '/api/runs' ? { items: [cancelled(`muster resume ${SAMPLE_RUN_ID}`)] } : job
  }
  const { code, err } = await trial.run({ answers }, ['resume', SAMPLE_JOB_ID])
  expect(code).toBe(3)
  expect(err).toMatch(/try: muster .*resume run_\w+/)
})
