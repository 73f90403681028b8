import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MusterClient, WireJob, WireTaskDetail } from '../../src/client/index.ts'
import { CRASH_POINTS, type CrashPoint } from '../../src/ports/crash-points.ts'
import { auditLandings } from '../support/audit-landings.ts'
import { longJobFaults, longJobProject } from '../support/long-job.ts'
import { processesWith } from '../support/processes.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { type TestDaemon, type TestHome, testHome, until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

/** Passed by programs that are spoken to, by reviews, by questions and by merges; those have tests of their own. */
const ELSEWHERE = /^(?:talk|review|merge)\.|^landing\.before-question$/
const POINTS = CRASH_POINTS.filter((point) => !ELSEWHERE.test(point))

async function start(daemon: TestDaemon, repository: TestRepository): Promise<string> {
  const started = await daemon.client.startJob({
    repositoryPath: repository.path,
    requestDocument: 'Build a house with a flag on its roof.',
  })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  return started.value.id
}

async function detailsOf(client: MusterClient, jobId: string): Promise<readonly WireTaskDetail[]> {
  const tasks = await client.listTasks({ job: jobId, limit: 100 })
  if (!tasks.ok) throw new Error(tasks.failure.message)
  return Promise.all(
    tasks.value.items.map(async ({ id }) => {
      const task = await client.getTask(id)
      if (!task.ok) throw new Error(task.failure.message)
      return task.value
    }),
  )
}

async function expectRight(daemon: TestDaemon, repository: TestRepository, job: WireJob): Promise<void> {
  expect(longJobFaults(job, await detailsOf(daemon.client, job.id))).toEqual([])
  await auditLandings(daemon.client, repository, job)
  for (const file of ['ground', 'wall', 'window', 'bell', 'ladder', 'floor', 'roof', 'flag']) {
    expect(await repository.git('show', `${job.workingBranch}:${file}.txt`)).toBe(file)
  }
  expect(await repository.git('show', `${job.workingBranch}:door.txt`)).toBe('red and blue')
  expect(await repository.git('fsck', '--strict')).toBe('')
}

/** Dies at these points one after the other, as far as the job passes them; gives those that are left. */
async function playWithDeaths(
  home: TestHome,
  repository: TestRepository,
  points: readonly CrashPoint[],
): Promise<readonly CrashPoint[]> {
  let daemon = await home.start({ MUSTER_CRASH_AT: `${points[0]}:1` })
  const jobId = await start(daemon, repository)
  const left: CrashPoint[] = []
  for (const [index, point] of points.entries()) {
    const isDead = await diesBeforeTheEnd(daemon, jobId)
    if (!isDead) {
      left.push(...points.slice(index))
      break
    }
    const next = points[index + 1]
    daemon = await home.start(next === undefined ? {} : { MUSTER_CRASH_AT: `${next}:1` })
    expect(point).toBeDefined()
  }
  const job = await waitForJob(daemon.client, jobId, 120_000)
  await expectRight(daemon, repository, job)
  await daemon.stop()
  return left
}

async function diesBeforeTheEnd(daemon: TestDaemon, jobId: string): Promise<boolean> {
  let isDead = false
  await until(async () => {
    isDead = daemon.process.signalCode === 'SIGKILL'
    if (isDead) return true
    const job = await daemon.client.getJob(jobId)
    return job.ok && (job.value.status === 'completed' || job.value.status === 'error')
  }, 120_000)
  return isDead
}

describe('a job of 12 tasks in 3 cycles, with a conflict, a flaky check, a liar and one that dies', () => {
  it('ends completed, with the right reason on every row', async () => {
    await using home = await testHome()
    await using shared = await temporaryDirectory()
    await using repository = await testRepository(longJobProject(shared.path))
    const daemon = await home.start()
    const job = await waitForJob(daemon.client, await start(daemon, repository), 120_000)
    await expectRight(daemon, repository, job)
    await until(async () => (await readdir(join(home.home, 'trees'))).length === 0, 60_000)
    expect(await processesWith(join(home.home, 'trees'))).toEqual([])
  }, 180_000)

  it('ends the same when the daemon dies at every named point on the way', async () => {
    await using home = await testHome()
    let left: readonly CrashPoint[] = POINTS
    for (let trial = 0; left.length > 0 && trial < 4; trial += 1) {
      await using shared = await temporaryDirectory()
      await using repository = await testRepository(longJobProject(shared.path))
      left = await playWithDeaths(home, repository, left)
    }
    expect(left).toEqual([])
    await home.start()
    await until(async () => (await readdir(join(home.home, 'trees'))).length === 0, 60_000)
  }, 600_000)
})
