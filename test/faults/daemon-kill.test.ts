import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { MusterClient, WireEvent } from '../../src/client/index.ts'
import { CRASH_POINTS } from '../../src/ports/crash-points.ts'
import { agentText } from '../support/agent-output.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { processesWith } from '../support/processes.ts'
import { quickHome } from '../support/quick-home.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { startJob, tasksOf } from '../support/run-job.ts'
import { take } from '../support/take.ts'
import { connectTo, type TestHome, testHome, until, waitForJob } from '../support/test-daemon.ts'
import { createTestDatabase, urlOf } from '../support/test-database.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

const LINES = 120
const talk = (name: string) =>
  `i=0; while [ $i -lt ${LINES} ]; do i=$((i+1)); echo "${name} says $i"; sleep 0.01; done; ${commitFile(`${name}.txt`, name)}`
const project = shellProject([
  { description: 'let the first agent talk', script: talk('one') },
  { description: 'let the second agent talk', script: talk('two') },
])

/** Every event of a job, in order and without a gap. */
async function eventsOf(client: MusterClient, jobId: string): Promise<readonly WireEvent[]> {
  const events: WireEvent[] = []
  for (;;) {
    const { items } = take(await client.listEvents(jobId, { after: events.length, limit: 500 }))
    if (items.length === 0) return events
    events.push(...items)
    expect(events.at(-1)?.seq).toBe(events.length)
  }
}

/** Every line that the two agents printed, read from the events. */
async function linesOf(client: MusterClient, jobId: string): Promise<readonly string[]> {
  return (await eventsOf(client, jobId)).map(agentText).filter((text) => text.includes(' says '))
}

const expected = ['one', 'two'].flatMap((name) =>
  Array.from({ length: LINES }, (_, index) => `${name} says ${index + 1}`),
)

async function expectWhole(client: MusterClient, repository: TestRepository, jobId: string) {
  const job = await waitForJob(client, jobId)
  expect(job).toMatchObject({ status: 'completed', reason: 'goal-reached' })
  const lines = await linesOf(client, jobId)
  expect(lines.filter((line) => line.startsWith('one'))).toEqual(
    expected.filter((line) => line.startsWith('one')),
  )
  expect([...lines].sort()).toEqual([...expected].sort())
  const subjects = (await repository.git('log', '--no-merges', '--format=%s', job.workingBranch)).split('\n')
  expect(subjects.filter((subject) => subject === 'Add one.txt')).toHaveLength(1)
  expect(subjects.filter((subject) => subject === 'Add two.txt')).toHaveLength(1)
}

/** Waits until no tree is left. The reconciler removes leftovers every 30 seconds. */
function treesGone(home: TestHome): Promise<void> {
  return until(async () => (await readdir(join(home.home, 'trees'))).length === 0)
}

/** Whether the kernel knows a process of a worker. */
async function isWorking(home: TestHome): Promise<boolean> {
  return (await processesWith(join(home.home, 'trees'))).some((line) => line.includes('worker.sh'))
}

describe('a daemon killed with SIGKILL', () => {
  it('loses and repeats no line, and the job completes, at 20 random moments', async () => {
    await using home = await testHome()
    await using repository = await testRepository(project)
    let daemon = await home.start()
    let killedWhileWorking = 0
    for (let trial = 0; trial < 20; trial += 1) {
      const jobId = await startJob(daemon.client, repository)
      const moment = Math.random() * 3000
      await sleep(moment)
      await daemon.kill()
      if (await isWorking(home)) killedWhileWorking += 1
      daemon = await home.start()
      await expectWhole(daemon.client, repository, jobId).catch((error: unknown) => {
        throw new Error(`trial ${trial}, killed after ${moment} ms: ${error}`, { cause: error })
      })
    }
    expect(killedWhileWorking).toBeGreaterThan(3)
    await treesGone(home)
    expect(await processesWith(join(home.home, 'trees'))).toEqual([])
  }, 600_000)

  it('is replaced by a new one at the next `muster status`, which adopts the running programs', async () => {
    await using home = await testHome()
    await using repository = await testRepository(project)
    const daemon = await home.start()
    const jobId = await startJob(daemon.client, repository)
    await until(() => isWorking(home))
    await daemon.kill()
    expect(await isWorking(home)).toBe(true)
    const status = await runCommandLine(['status', '--json'], { home: home.home })
    expect(status.code).toBe(0)
    expect(JSON.parse(status.stdout).data ?? JSON.parse(status.stdout)).toMatchObject({
      jobs: [{ id: jobId, status: 'running' }],
    })
    await expectWhole(await connectTo(home.home), repository, jobId)
    expect((await runCommandLine(['shutdown'], { home: home.home })).code).toBe(0)
  }, 120_000)

  it('loses and repeats no line at every named point', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(project)
    // Conversations, reviews, approvals, merges and baselines have their own points, at which other tests crash.
    const elsewhere =
      /^(?:conversation|handoff|review|merge|baseline|run|job-start|job-delete|restore)\.|^landing\.before-/
    for (const point of CRASH_POINTS.filter((name) => !elsewhere.test(name))) {
      // The second time is in the middle of the job. An update is reached once per cycle.
      const count = point.startsWith('cycle-update') ? 1 : 2
      // Work that the previous job left may bring it to the point while it starts. Then there is nobody to talk to.
      const doomed = await home.start({ MUSTER_CRASH_AT: `${point}:${count}` }).catch(() => undefined)
      const started = await (doomed && startJob(doomed.client, repository))?.catch(() => undefined)
      if (doomed !== undefined) await until(() => doomed.process.signalCode === 'SIGKILL')
      const daemon = await home.start()
      const jobId = started ?? (await startJob(daemon.client, repository))
      await expectWhole(daemon.client, repository, jobId).catch((error: unknown) => {
        throw new Error(`after a death at ${point}: ${error}`, { cause: error })
      })
      await daemon.stop()
    }
    await home.start()
    await treesGone(home)
  }, 600_000)

  it('starts a job once if it dies before the job is stored and the request is repeated', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(project)
    const doomed = await home.start({ MUSTER_CRASH_AT: 'job-start.before-commit:1' })
    const goal = { repositoryPath: repository.path, requestDocument: 'Talk.', workingBranch: 'talk' }
    const key = { idempotencyKey: 'one-start' }
    expect((await doomed.client.startJob(goal, key)).ok).toBe(false)
    await until(() => doomed.process.signalCode === 'SIGKILL')
    const { client } = await home.start()
    const first = take(await client.startJob(goal, key))
    const second = take(await client.startJob(goal, key))
    expect(second.id).toBe(first.id)
    await expectWhole(client, repository, first.id)
  }, 120_000)

  it('is started again by `muster run`, which repeats its request, if it dies before the job is stored', async () => {
    const database = { MUSTER_DATABASE_URL: urlOf(await createTestDatabase()) }
    await using home = await testHome(database)
    await using repository = await testRepository(project)
    const doomed = await home.start({ MUSTER_CRASH_AT: 'job-start.before-commit:1' })
    const run = await runCommandLine(['run', 'Talk.', '--detach', '--json'], {
      home: home.home,
      cwd: repository.path,
      environment: { ...database, MUSTER_SANDBOX: 'none' },
    })
    expect(doomed.process.signalCode).toBe('SIGKILL')
    expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') })
    const client = await connectTo(home.home)
    const { items } = take(await client.listJobs())
    expect(items.map(({ id }) => id)).toEqual([JSON.parse(run.stdout).data.id])
    await expectWhole(client, repository, items[0]?.id ?? '')
    expect((await runCommandLine(['shutdown'], { home: home.home })).code).toBe(0)
  }, 120_000)

  it('knows what landed if the job is cancelled right after its death', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(project)
    for (const point of ['landing.after-checks', 'landing.after-ref'] as const) {
      const doomed = await home.start({ MUSTER_CRASH_AT: `${point}:1` })
      const jobId = await startJob(doomed.client, repository)
      await until(() => doomed.process.signalCode === 'SIGKILL')
      const daemon = await home.start()
      // A slow cancellation may come after the end of the job.
      await daemon.client.cancelJob(jobId)
      const { workingBranch } = take(await daemon.client.getJob(jobId))
      await treesGone(home)
      let tasks = await tasksOf(daemon.client, jobId)
      await until(async () => {
        tasks = await tasksOf(daemon.client, jobId)
        return tasks.every((task) => task.status !== 'landing')
      })
      const landed = tasks.filter((task) => task.status === 'completed')
      // The commit of the first landing was on the working branch before the daemon died.
      if (point === 'landing.after-ref') expect(landed).not.toEqual([])
      // What landed is delivered after the cancellation, by later work.
      await until(async () => {
        const branch = await repository
          .git('log', '--no-merges', '--format=%s', workingBranch)
          .catch(() => '')
        const added = branch.split('\n').filter((subject) => subject.startsWith('Add '))
        return added.length === landed.length
      })
      await daemon.stop()
    }
  }, 120_000)

  it('recovers if it is killed again during recovery', async () => {
    await using home = await quickHome()
    await using repository = await testRepository(project)
    const first = await home.start()
    const jobId = await startJob(first.client, repository)
    await until(() => isWorking(home))
    await first.kill()
    for (const afterMs of [0, 50, 200, 400]) {
      const daemon = await home.start()
      await sleep(afterMs)
      await daemon.kill()
    }
    const last = await home.start()
    await expectWhole(last.client, repository, jobId)
  }, 180_000)
})
