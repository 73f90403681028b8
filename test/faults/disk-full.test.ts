import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { runJob, startJob, tasksOf } from '../support/run-job.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { startDaemon, until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

const run = promisify(execFile)

/** A small disk; undefined if mounting is not allowed. */
async function smallDisk(megabytes: number): Promise<(AsyncDisposable & { path: string }) | undefined> {
  const directory = await temporaryDirectory('muster-disk')
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', directory.path])
  } catch {
    // Not root, or mounting is forbidden; the title of the skipped tests says so.
    await directory[Symbol.asyncDispose]()
    return undefined
  }
  return {
    path: directory.path,
    async [Symbol.asyncDispose]() {
      await run('umount', ['-l', directory.path])
      await directory[Symbol.asyncDispose]()
    },
  }
}

const canMount = (await smallDisk(1).then(async (disk) => {
  await disk?.[Symbol.asyncDispose]()
  return disk !== undefined
})) as boolean

describe.skipIf(!canMount)('a full disk (skipped if nothing can be mounted)', () => {
  it('is named at the first start, and leaves nothing that prevents the next start', async () => {
    await using disk = await smallDisk(12)
    if (disk === undefined) return
    const started = await runCommandLine(['serve'], { home: disk.path })
    expect(started.code).toBe(5)
    expect(started.stderr).toMatch(/space/)
    await run('mount', ['-o', 'remount,size=400m', disk.path])
    await using daemon = await startDaemon(disk.path, {})
    expect((await daemon.client.ready()).ok).toBe(true)
  }, 120_000)

  it('makes the daemon refuse new jobs with the reason, until there is space again', async () => {
    await using disk = await smallDisk(700)
    if (disk === undefined) return
    await using repository = await testRepository(
      shellProject([{ description: 'write the file', script: commitFile('one.txt', 'one') }]),
    )
    await using daemon = await startDaemon(disk.path, {})
    const filler = join(disk.path, 'filler')
    await writeFile(filler, Buffer.alloc(500 * 2 ** 20))
    const request = { repositoryPath: repository.path, requestDocument: 'x' }
    const refused = await daemon.client.startJob(request)
    expect(refused).toMatchObject({ ok: false, failure: { type: 'disk-nearly-full', status: 507 } })
    expect((await daemon.client.status()).ok).toBe(true)
    await rm(filler)
    expect(await runJob(daemon.client, repository)).toMatchObject({ status: 'completed' })
  }, 120_000)

  it('in the middle of a job loses nothing, and the job completes once there is space again', async () => {
    await using disk = await smallDisk(700)
    if (disk === undefined) return
    const talk = 'i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo "says $i"; sleep 0.01; done'
    await using repository = await testRepository(
      shellProject([{ description: 'talk on', script: `${talk}; ${commitFile('one.txt', 'one')}` }]),
    )
    await using daemon = await startDaemon(disk.path, {})
    const jobId = await startJob(daemon.client, repository)
    const count = async () => {
      const page = await daemon.client.listEvents(jobId, { tail: 1 })
      return page.ok ? (page.value.items[0]?.seq ?? 0) : 0
    }
    await until(async () => (await count()) > 20)
    const filler = join(disk.path, 'filler')
    await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M']).catch(() => undefined)
    // The disk stays full while the agent talks, so every write of the daemon and its database fails.
    await sleep(6_000)
    expect(daemon.process.exitCode).toBeNull()
    await rm(filler)
    const job = await waitForJob(daemon.client, jobId, 100_000)
    expect(['completed', 'error']).toContain(job.status)
    expect(await tasksOf(daemon.client, jobId)).toMatchObject([{ status: 'completed' }])
  }, 180_000)
})
