import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CRASH_POINTS, type CrashPoint } from '../../src/ports/crash-points.ts'
import { expectLongJobRight, longJobProject } from '../support/long-job.ts'
import { quickHome } from '../support/quick-home.ts'
import { startJob } from '../support/run-job.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { type TestDaemon, type TestHome, until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

/** Points that only conversations, reviews, approvals and merges reach. Other tests crash there. */
const ELSEWHERE =
  /^(?:conversation|handoff|review|merge|baseline|run|job-start|job-delete|restore)\.|^landing\.before-question$/
const POINTS = CRASH_POINTS.filter((point) => !ELSEWHERE.test(point))

/** Crashes at these points one after the other, as far as the job reaches them, and returns the points left. */
async function playWithDeaths(
  home: TestHome,
  repository: TestRepository,
  points: readonly CrashPoint[],
): Promise<readonly CrashPoint[]> {
  let daemon = await home.start({ MUSTER_CRASH_AT: `${points[0]}:1` })
  const jobId = await startJob(daemon.client, repository)
  const left: CrashPoint[] = []
  for (const index of points.keys()) {
    const isDead = await diesBeforeTheEnd(daemon, jobId)
    if (!isDead) {
      left.push(...points.slice(index))
      break
    }
    const next = points[index + 1]
    daemon = await home.start(next === undefined ? {} : { MUSTER_CRASH_AT: `${next}:1` })
  }
  const job = await waitForJob(daemon.client, jobId, 120_000)
  await expectLongJobRight(daemon, repository, job)
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

describe('a job of 12 tasks in 3 cycles, with a conflict, a flaky check, a false claim and a crash', () => {
  it('ends the same if the daemon dies at every named point on the way', async () => {
    await using home = await quickHome()
    let left: readonly CrashPoint[] = POINTS
    for (let trial = 0; left.length > 0 && trial < 4; trial += 1) {
      await using shared = await temporaryDirectory()
      await using repository = await testRepository(longJobProject(shared.path))
      left = await playWithDeaths(home, repository, left)
    }
    expect(left).toEqual([])
    await home.start()
    await until(async () => (await readdir(join(home.home, 'trees'))).length === 0)
  }, 600_000)
})
