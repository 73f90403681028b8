import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createCommandTrial } from '../testing/command-trial.ts'
import { SAMPLE_JOB_ID, sampleEvent, sampleJob } from '../testing/sample-wire.ts'
import { openStandInApi } from '../testing/stand-in-api.ts'

const trial = createCommandTrial(temporaryDirectory)

it.each([
  ['ENOSPC', -28, 1],
  // The reader of a pipe has exited, which is no error.
  ['EPIPE', -32, 0],
])(
  'at %s exits with the code that belongs to it, and names a job that nobody sees',
  async (code, errno, exit) => {
    execFileSync('git', ['init', '--quiet', trial.path()])
    const events = [sampleEvent('job_started', { seq: 1 })]
    await using api = await openStandInApi({
      answers: (method) => (method === 'POST' ? sampleJob() : { items: [] }),
      events,
    })
    const given = trial.surroundings()
    const running = trial.start(api, given, ['run', 'make it'])
    await expect.poll(given.stdoutText).toContain('job_')
    given.stdout.emit('error', Object.assign(new Error(`write ${code}`), { code, errno, syscall: 'write' }))
    expect(await running).toBe(exit)
    const isNamed = new RegExp(`to cancel it: muster .*cancel ${SAMPLE_JOB_ID}`).test(given.stderrText())
    expect(isNamed).toBe(exit === 1)
  },
)
