import { existsSync } from 'node:fs'
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { signalAll } from '../support/processes.ts'
import { quickHome } from '../support/quick-home.ts'
import { startJob, tasksOf } from '../support/run-job.ts'
import { take } from '../support/take.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { type TestDaemon, type TestHome, until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

const LIMIT_MS = 6_000
const LIMIT_MINUTES = LIMIT_MS / 60_000
/** Takes a while to read, so that a deadline could pass before the end is seen. */
const LONG_OUTPUT = 'seq 1 100000'

describe('a time limit', () => {
  it('does not apply to an agent and a check that ended while no daemon ran', async () => {
    await using story = await createStory()
    const first = await story.start()
    const jobId = await startJob(first.client, story.repository)
    await story.isDoneAfter(first, 'agent')
    const second = await story.start()
    await story.isDoneAfter(second, 'check')
    const third = await story.start()
    expect(await waitForJob(third.client, jobId)).toMatchObject({ status: 'completed' })
    await expectOneAttempt(third, jobId)
  }, 120_000)

  it('does not count the time for which everything was stopped', async () => {
    await using story = await createStory()
    const daemon = await story.start()
    const jobId = await startJob(daemon.client, story.repository)
    for (const part of ['agent', 'check']) {
      await until(() => existsSync(story.file(`${part}.begun`)))
      const processes = await processesOf(story)
      expect(processes).toContain(daemon.pid)
      signalAll(processes, 'SIGSTOP')
      await sleep(2.5 * LIMIT_MS)
      signalAll(processes, 'SIGCONT')
      await writeFile(story.file(`${part}.go`), '')
    }
    expect(await waitForJob(daemon.client, jobId)).toMatchObject({ status: 'completed' })
    await expectOneAttempt(daemon, jobId)
  }, 120_000)
})

/** A job whose agent and check each wait for a file before they go on. */
async function createStory() {
  const stack = new AsyncDisposableStack()
  const shared = stack.use(await temporaryDirectory('muster-story'))
  const waiting = (part: string) =>
    `touch ${shared.path}/${part}.begun; while [ ! -e ${shared.path}/${part}.go ]; do sleep 0.05; done; ${LONG_OUTPUT}`
  const repository = stack.use(
    await testRepository(
      shellProject(
        [{ description: 'write one', script: `${waiting('agent')}; ${commitFile('one.txt', 'one')}` }],
        {
          // Only the check of finished work waits.
          checks: [`if [ -e one.txt ]; then ${waiting('check')}; fi`],
          limits: { attemptMinutes: LIMIT_MINUTES },
        },
      ),
    ),
  )
  const home: TestHome = stack.use(await quickHome())
  const file = (name: string) => join(shared.path, name)
  return {
    file,
    home: home.home,
    shared: shared.path,
    repository,
    start: () => home.start({ MUSTER_CHECK_MINUTES: String(LIMIT_MINUTES) }),
    /** Kills the daemon once this part has begun, and lets the part end and its deadline pass. */
    async isDoneAfter(daemon: TestDaemon, part: string) {
      await until(() => existsSync(file(`${part}.begun`)))
      await daemon.kill()
      await writeFile(file(`${part}.go`), '')
      await until(async () => (await processesOf({ home: home.home })).length === 0)
      await sleep(LIMIT_MS)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function expectOneAttempt(daemon: TestDaemon, jobId: string): Promise<void> {
  const [task] = await tasksOf(daemon.client, jobId)
  const { attempts, status } = take(await daemon.client.getTask(task?.id ?? ''))
  expect({ status, attempts: attempts.length }).toEqual({ status: 'completed', attempts: 1 })
}

/** The daemon of a home, its session hosts and their programs. */
async function processesOf({ home }: { readonly home: string }): Promise<readonly number[]> {
  const found: number[] = []
  for (const name of (await readdir('/proc')).filter((one) => /^\d+$/.test(one))) {
    const texts = await Promise.all([
      readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''),
      readFile(`/proc/${name}/environ`, 'utf8').catch(() => ''),
      readlink(`/proc/${name}/cwd`).catch(() => ''),
    ])
    if (texts.join('').includes(home)) found.push(Number(name))
  }
  return found
}
