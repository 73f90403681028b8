import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { processesWith } from '../support/processes.ts'
import { runJob, startJob, tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { until, waitForJob } from '../support/test-daemon.ts'
import { testRepository } from '../support/test-repository.ts'

const shared = shareDaemon({ MUSTER_CHECK_MINUTES: '0.03' })

const statusOf = async (jobId: string) => take(await shared.client.getJob(jobId)).status

const taskStatusesOf = async (jobId: string) =>
  (await tasksOf(shared.client, jobId)).map(({ status }) => status)

/** The processes that run in working trees, as the kernel sees them. */
const running = () => processesWith(join(shared.home.home, 'trees'))

const isWorking = async () => (await running()).some((line) => line.includes('worker.sh'))

/** The files in everything that is pinned in the hubs. */
async function pinnedFiles(): Promise<string> {
  const hubs = join(shared.home.home, 'hubs')
  await using anywhere = await testRepository()
  const files: string[] = []
  for (const hub of (await readdir(hubs)).filter((name) => name.endsWith('.git'))) {
    const git = (...words: readonly string[]) => anywhere.git('--git-dir', join(hubs, hub), ...words)
    const pins = await git('for-each-ref', '--format=%(refname)', 'refs/muster/attempts')
    for (const pin of pins.split('\n')) files.push(await git('ls-tree', '--name-only', pin))
  }
  return files.join('\n')
}

describe('cancelling a job', () => {
  it('stops its programs even if they ignore signals, and keeps their work', async () => {
    const stubborn = `trap '' TERM INT HUP; echo precious > precious.txt; (setsid sh -c "trap '' TERM; sleep 300" &); while :; do sleep 0.2; done`
    await using repository = await testRepository(
      shellProject([{ description: 'never end', script: stubborn }]),
    )
    const jobId = await startJob(shared.client, repository)
    await until(isWorking)
    const cancelled = await shared.client.cancelJob(jobId, { reason: 'seen enough' })
    expect(cancelled).toMatchObject({ ok: true, value: { status: 'cancelled' } })
    await until(async () => (await running()).length === 0)
    await until(async () => (await readdir(join(shared.home.home, 'trees'))).length === 0)
    expect(await taskStatusesOf(jobId)).toEqual(['skipped'])
    expect(await pinnedFiles()).toContain('precious.txt')
    expect(await shared.client.cancelJob(jobId)).toMatchObject({ ok: false, failure: { status: 409 } })
  })
})

describe('pausing a job', () => {
  it('lets its programs finish and starts nothing new, also after a restart, until it is resumed', async () => {
    await using repository = await testRepository(
      shellProject([
        {
          description: 'wait for the gate',
          script: `gate=$(cat gate.txt); until [ -e "$gate" ]; do sleep 0.05; done; ${commitFile('one.txt', 'one')}`,
        },
        { description: 'come second', script: commitFile('two.txt', 'two'), extra: { dependsOn: [1] } },
      ]),
    )
    const gate = join(repository.path, '.git', 'gate')
    await repository.write({ 'gate.txt': gate })
    await repository.commit('name the gate')
    const jobId = await startJob(shared.client, repository)
    await until(isWorking)
    expect(await shared.client.pauseJob(jobId)).toMatchObject({
      ok: true,
      value: { status: 'running', pausing: true },
    })
    await writeFile(gate, '')
    await until(async () => (await statusOf(jobId)) === 'paused')
    expect(await taskStatusesOf(jobId)).toEqual(['completed', 'pending'])

    await shared.daemon.kill()
    await shared.startNext()
    expect(await statusOf(jobId)).toBe('paused')
    expect(await shared.client.resumeJob(jobId)).toMatchObject({ ok: true, value: { status: 'running' } })
    expect(await waitForJob(shared.client, jobId)).toMatchObject({ status: 'completed', currentCycle: 2 })
    expect(await taskStatusesOf(jobId)).toEqual(['completed', 'completed'])
  })
})

describe('a check that does not pass', () => {
  it.each([
    ['fails', 'echo "the sky is falling"; exit 3', 'the sky is falling'],
    ['runs too long', `setsid sh -c 'while :; do sleep 1; done' & sleep 600`, 'ran longer than'],
    ['is killed', 'kill -9 $$', 'signal'],
    [
      'changes a checked file',
      'echo fixed > one.txt',
      'changed tracked files, which a check must not do: one.txt',
    ],
    ['does not exist', 'there-is-no-such-program --at-all', '127'],
  ])('because it %s lands nothing, and the task shows why', async (_, check, words) => {
    const task = { description: 'write the file', script: commitFile('one.txt', 'one') }
    await using repository = await testRepository(shellProject([task], { checks: ['true', check] }))
    const job = await runJob(shared.client, repository, { maxCycles: 1, failingBase: 'ignore' })
    const tasks = await tasksOf(shared.client, job.id)
    expect(tasks).toMatchObject([
      { status: 'failed', suggestion: expect.stringContaining(`muster diff ${tasks[0]?.id}`) },
    ])
    expect(JSON.stringify(tasks)).toContain(words)
    expect(take(await shared.client.listLandings({ job: job.id })).items).toMatchObject([
      { status: 'rejected' },
    ])
    await expect(repository.git('show', `${job.workingBranch}:one.txt`)).rejects.toThrow()
    await until(async () => (await running()).length === 0)
  })
})
