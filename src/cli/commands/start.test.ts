import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { Refused } from '../testing/stand-in-api.ts'

const trial = createCommandTrial(temporaryDirectory)

it('suggests the same command with the playbook that was meant', async () => {
  execFileSync('git', ['init', '--quiet', trial.path()])
  const details = { meant: 'reviewed' }
  const error = { type: 'playbook-not-found', message: 'There is no such playbook.', details }
  const refused = () => new Refused(404, { success: false, error })
  const printed = await trial.run({ answers: refused }, ['start', 'reviwed', 'make it work'])
  expect(printed.code).toBe(2)
  expect(printed.err).toMatch(/try: muster .*start reviewed 'make it work'\n$/)
})
