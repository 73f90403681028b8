import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectLongJobRight, longJobProject } from '../support/long-job.ts'
import { processesWith } from '../support/processes.ts'
import { quickHome } from '../support/quick-home.ts'
import { runJob } from '../support/run-job.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { until } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

describe('a job of 12 tasks in 3 cycles, with a conflict, a flaky check, a false claim and a crash', () => {
  it('completes, with the right reason on every task and attempt', async () => {
    await using home = await quickHome()
    await using shared = await temporaryDirectory()
    await using repository = await testRepository(longJobProject(shared.path))
    const daemon = await home.start()
    const job = await runJob(daemon.client, repository)
    await expectLongJobRight(daemon, repository, job)
    await until(async () => (await readdir(join(home.home, 'trees'))).length === 0)
    expect(await processesWith(join(home.home, 'trees'))).toEqual([])
  })
})
