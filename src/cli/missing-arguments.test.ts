import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { createCommandTrial } from './testing/command-trial.ts'
import {
  SAMPLE_JOB_ID,
  SAMPLE_SESSION_ID,
  sampleJob,
  sampleNames,
  sampleSession,
} from './testing/sample-wire.ts'

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
