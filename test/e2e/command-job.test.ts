import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { processesWith } from '../support/processes.ts'
import { runJob } from '../support/run-job.ts'
import { testHome, until } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

describe('a job on the embedded database', () => {
  it('ends with both commits on its branch, and leaves the checkout and the machine as they were', async () => {
    await using home = await testHome()
    await using repository = await testRepository(
      shellProject([
        { description: 'write the first file', script: commitFile('one.txt', 'one') },
        { description: 'write the second file', script: commitFile('two.txt', 'two') },
      ]),
    )
    await repository.write({ 'notes.txt': 'not committed\n' })
    const before = await repository.fingerprint()
    const daemon = await home.start()
    const job = await runJob(daemon.client, repository)

    expect(job).toMatchObject({
      status: 'completed',
      reason: 'goal-reached',
      evidence: ['all files are there'],
    })
    expect(await repository.fingerprint()).toBe(before)
    const log = await repository.git('log', '--format=%s', job.workingBranch)
    expect(log.split('\n')).toEqual(expect.arrayContaining(['Add one.txt', 'Add two.txt']))
    expect(await repository.git('show', `${job.workingBranch}:one.txt`)).toBe('one')
    expect(await repository.git('show', `${job.workingBranch}:TASKLIST.md`)).toContain('[x] t1-1')
    expect(await repository.git('fsck', '--strict')).toBe('')
    await until(async () => (await readdir(join(home.home, 'trees'))).length === 0)
    await until(
      async () => !(await readdir(join(home.home, 'hosts'))).some((name) => name.startsWith('ses_')),
    )
    // The git process that is kept for the next landing exits by itself.
    await until(async () => (await processesWith(home.home, [daemon.pid])).length === 0)
    expect(await daemon.stop()).toBe(0)
    expect(await processesWith(home.home)).toEqual([])
    const left = await readdir(home.home, { recursive: true })
    expect(
      left.filter((name) => /\.lock$|postmaster\.pid$|daemon\.json$/.test(name) && name !== 'daemon.lock'),
    ).toEqual([])
  })
})
