import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { longJobProject } from '../support/long-job.ts'
import { expectLongJobRight, startLongJob } from '../support/play-long-job.ts'
import { processesWith } from '../support/processes.ts'
import { quickHome } from '../support/quick-home.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

describe('a job of 12 tasks in 3 cycles, with a conflict, a flaky check, a liar and one that dies', () => {
  it('ends completed, with the right reason on every row', async () => {
    await using home = await quickHome()
    await using shared = await temporaryDirectory()
    await using repository = await testRepository(longJobProject(shared.path))
    const daemon = await home.start()
    const job = await waitForJob(daemon.client, await startLongJob(daemon, repository), 120_000)
    await expectLongJobRight(daemon, repository, job)
    await until(async () => (await readdir(join(home.home, 'trees'))).length === 0, 60_000)
    expect(await processesWith(join(home.home, 'trees'))).toEqual([])
  }, 180_000)
})
