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
