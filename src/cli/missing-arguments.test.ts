import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { createCommandTrial } from './testing/command-trial.ts'
import { SAMPLE_JOB_ID, sampleJob, sampleNames, sampleSession } from './testing/sample-wire.ts'

const trial = createCommandTrial(temporaryDirectory)

it('lists jobs if nothing is named', async () => {
  const printed = await trial.run({ answers: () => ({ items: [sampleJob()] }) }, ['list'])
  expect(printed.code).toBe(0)
  expect(printed.out).toContain(SAMPLE_JOB_ID)
})

it('does not suggest cancelling a job that has ended', async () => {
  execFileSync('git', ['init', '--quiet', trial.path()])
  const repositoryPath = realpathSync(trial.path())
  const ended = sampleJob({ repositoryPath, status: 'completed' })
  const open = sampleJob({ id: `job_${'b'.repeat(20)}`, repositoryPath, status: 'running' })
  const none = await trial.run({ answers: () => ({ items: [ended] }) }, ['cancel'])
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('this repository has no open job') })
  expect(none.err).not.toContain(ended.id)
  const older = await trial.run({ answers: () => ({ items: [ended, open] }) }, ['cancel'])
  expect(older.err).toMatch(new RegExp(`try: muster .*cancel ${open.id}`))
})

const daemon = {
  ...{ pid: 1, version: '1', startedAt: '2026-01-02T03:04:05.000Z', uptimeMs: 1, home: '/m' },
  containment: 'bubblewrap',
}
const opened = (...sessions: ReturnType<typeof sampleSession>[]) => ({
  answers: (_method: string, path: string) =>
    path === '/api/status' ? { daemon, jobs: [], sessions, waiting: [] } : sampleNames(),
})
const interactive = sampleSession({ mode: 'interactive' })
const second = sampleSession({ id: `ses_${'b'.repeat(20)}`, mode: 'interactive' })

it('attaches to the only session with a terminal, and names several', async () => {
  const words = ['attach', '--read-only']
  const none = await trial.run(opened(sampleSession()), words)
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('no session with a terminal is open') })
  const several = await trial.run(opened(interactive, second), words)
  expect(several.code).toBe(2)
  expect(several.err).toMatch(/name the session to attach to\n +why: ses_\w+ {2}ada \(worker\)\n +ses_b+ /s)
  // The stand-in has no terminals, so the attempt itself shows which session was chosen.
  const only = await trial.run(opened(sampleSession({ id: second.id }), interactive), words)
  expect(only.err).not.toContain('name the session')
  expect(only.code).not.toBe(2)
})

it.each(['stop', 'kill'])('names what %s can be given', async (command) => {
  const printed = await trial.run(opened(sampleSession()), [command])
  expect(printed.code).toBe(2)
  expect(printed.err).toContain(`name the session or job to ${command}\n`)
  expect(printed.err).toContain('why: ses_9abc  ada (worker)')
  expect((await trial.run(opened(), [command])).err).toContain(`there is nothing to ${command}`)
})
