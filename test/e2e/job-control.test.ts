import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { processesWith } from '../support/processes.ts'
import { quickHome } from '../support/quick-home.ts'
import { type TestDaemon, type TestHome, until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

let home: TestHome
let daemon: TestDaemon

beforeAll(async () => {
  home = await quickHome()
  daemon = await home.start({ MUSTER_STOP_GRACE_MS: '500', MUSTER_CHECK_MINUTES: '0.05' })
})

afterAll(() => home[Symbol.asyncDispose]())

async function start(repository: TestRepository, more: object = {}): Promise<string> {
  const started = await daemon.client.startJob({
    repositoryPath: repository.path,
    requestDocument: 'Go.',
    ...more,
  })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  return started.value.id
}

async function tasksOf(jobId: string) {
  const tasks = await daemon.client.listTasks({ job: jobId })
  if (!tasks.ok) throw new Error(tasks.failure.message)
  return [...tasks.value.items].sort((one, other) => one.number - other.number)
}

async function waitForStatus(jobId: string, status: string) {
  await until(async () => {
    const job = await daemon.client.getJob(jobId)
    return job.ok && job.value.status === status
  })
  const job = await daemon.client.getJob(jobId)
  if (!job.ok) throw new Error(job.failure.message)
  return job.value
}

const isWorking = async () =>
  (await processesWith(join(home.home, 'trees'))).some((line) => line.includes('worker.sh'))

describe('a job under control', () => {
  it('that is cancelled stops its agents at once, stubborn ones too, and keeps their work', async () => {
    const stubborn = `trap '' TERM INT HUP; echo precious > precious.txt; (setsid sh -c "trap '' TERM; sleep 300" &); while :; do sleep 0.2; done`
    await using repository = await testRepository(
      shellProject([{ description: 'never end', script: stubborn }]),
    )
    const jobId = await start(repository)
    await until(isWorking)
    const cancelled = await daemon.client.cancelJob(jobId, { reason: 'seen enough' })
    expect(cancelled).toMatchObject({ ok: true, value: { status: 'cancelled' } })
    await until(async () => (await processesWith(join(home.home, 'trees'))).length === 0)
    await until(async () => (await readdir(join(home.home, 'trees'))).length === 0)
    expect(await tasksOf(jobId)).toMatchObject([{ status: 'skipped' }])
    const [hub] = (await readdir(join(home.home, 'hubs'))).filter((name) => name.endsWith('.git'))
    const pins = await repository.git(
      '--git-dir',
      join(home.home, 'hubs', hub ?? ''),
      'for-each-ref',
      '--format=%(refname)',
      'refs/muster/attempts',
    )
    const kept = await Promise.all(
      pins
        .split('\n')
        .map((pin) =>
          repository.git('--git-dir', join(home.home, 'hubs', hub ?? ''), 'ls-tree', '--name-only', pin),
        ),
    )
    expect(kept.join('\n')).toContain('precious.txt')
    expect(await daemon.client.cancelJob(jobId)).toMatchObject({ ok: false, failure: { status: 409 } })
  })

  it('that is paused lets its agents end, starts nothing new, and goes on when resumed', async () => {
    await using repository = await testRepository(
      shellProject(
        [
          {
            description: 'wait for the gate',
            script: `while [ ! -e "$GATE" ]; do sleep 0.05; done; ${commitFile('one.txt', 'one')}`,
          },
          { description: 'come second', script: commitFile('two.txt', 'two'), extra: { dependsOn: [1] } },
        ],
        { environment: { GATE: '' } },
      ),
    )
    const gate = join(repository.path, '.git', 'gate')
    const yaml = (await repository.git('show', 'HEAD:muster.yaml')).replace('"GATE": ""', `"GATE": "${gate}"`)
    await repository.write({ 'muster.yaml': yaml })
    const jobId = await start(repository)
    await until(isWorking)
    expect(await daemon.client.pauseJob(jobId)).toMatchObject({
      ok: true,
      value: { status: 'running', pausing: true },
    })
    await writeFile(gate, '')
    await until(async () => statusOf(await daemon.client.getJob(jobId)) === 'paused')
    expect((await tasksOf(jobId)).map((task) => task.status)).toEqual(['completed', 'pending'])

    await daemon.kill()
    daemon = await home.start({ MUSTER_STOP_GRACE_MS: '500', MUSTER_CHECK_MINUTES: '0.05' })
    expect(statusOf(await daemon.client.getJob(jobId))).toBe('paused')
    expect(await daemon.client.resumeJob(jobId)).toMatchObject({ ok: true, value: { status: 'running' } })
    expect(await waitForJob(daemon.client, jobId)).toMatchObject({ status: 'completed', currentCycle: 2 })
    expect((await tasksOf(jobId)).map((task) => task.status)).toEqual(['completed', 'completed'])
  })

  it('with two tasks that conflict lands one, blocks the other with the paths, and has them merged', async () => {
    const edit = (text: string) => `printf '${text}\\n' > shared.txt; git add -A; git commit -q -m ${text}`
    const merge = [
      'tip=$(sed -n "s/.*git merge \\([0-9a-f]*\\).*/\\1/p" "$MUSTER_PROMPT_FILE" | head -n 1)',
      `if [ -n "$tip" ]; then if git merge "$tip"; then exit 8; fi; ${edit('both')}; exit 0; fi`,
    ].join('\n')
    await using repository = await testRepository({
      ...shellProject(
        [
          { description: 'say yes', script: edit('yes') },
          { description: 'say no', script: edit('no') },
        ],
        { prelude: merge },
      ),
      'shared.txt': 'maybe\n',
    })
    const jobId = await start(repository)
    const job = await waitForJob(daemon.client, jobId)
    expect(job).toMatchObject({ status: 'completed', reason: 'goal-reached' })
    const tasks = await tasksOf(jobId)
    expect(tasks.map((task) => task.status).sort()).toEqual(['blocked', 'completed', 'completed'])
    expect(JSON.stringify(tasks.find((task) => task.status === 'blocked'))).toContain('shared.txt')
    expect(tasks.map((task) => task.description)).toContainEqual(
      expect.stringMatching(/^Merge the work of task 1\./),
    )
    expect(await repository.git('show', `${job.workingBranch}:shared.txt`)).toBe('both')
    expect(await repository.git('show', `${job.workingBranch}:TASKLIST.md`)).toContain('blocked')
  })

  it('that is paused waits for its check, and not for whom it asks then', async () => {
    await using repository = await testRepository(
      shellProject([{ description: 'write the file', script: commitFile('one.txt', 'one') }], {
        checks: ['sleep 1'],
      }),
    )
    const jobId = await start(repository, { mode: 'approve' })
    const isChecking = async () =>
      (await processesWith(join(home.home, 'trees'))).some((line) => /sleep 1/.test(line))
    await until(isChecking)
    expect(await daemon.client.pauseJob(jobId)).toMatchObject({ value: { status: 'running', pausing: true } })
    const job = await waitForStatus(jobId, 'paused')
    expect(job.waiting?.map(({ why }) => why)).toContain('wants to land: 1.1 write the file')
    expect(await isChecking()).toBe(false)
    await daemon.client.cancelJob(jobId, { reason: 'seen enough' })
  })

  it('whose check fails or hangs lands nothing, and says what the check said', async () => {
    const files = (check: string) =>
      shellProject([{ description: 'write the file', script: commitFile('one.txt', 'one') }], {
        checks: ['true', check],
      })
    for (const [check, words] of [
      ['echo "the sky is falling"; exit 3', 'the sky is falling'],
      ['sleep 600', 'longer than'],
      ['kill -9 $$', 'signal'],
      ['echo fixed > one.txt', 'changed files that it should check: one.txt'],
    ] as const) {
      await using repository = await testRepository(files(check))
      const jobId = await start(repository, { maxCycles: 1 })
      const job = await waitForJob(daemon.client, jobId)
      expect(await tasksOf(jobId)).toMatchObject([{ status: 'failed' }])
      expect(JSON.stringify(await tasksOf(jobId))).toContain(words)
      await expect(repository.git('show', `${job.workingBranch}:one.txt`)).rejects.toThrow()
    }
    await until(async () => (await processesWith(join(home.home, 'trees'))).length === 0)
  })

  it('lands only trees that were checked', async () => {
    await using repository = await testRepository(
      shellProject(
        ['a', 'b', 'c', 'd'].map((name) => ({
          description: `write the file ${name}.txt`,
          script: commitFile(`${name}.txt`, name),
        })),
        { checks: ['ls *.txt'] },
      ),
    )
    const jobId = await start(repository, { maxParallelTasks: 4 })
    const job = await waitForJob(daemon.client, jobId)
    const landings = await daemon.client.listLandings({ job: jobId })
    if (!landings.ok) throw new Error(landings.failure.message)
    expect(landings.value.items).toHaveLength(4)
    for (const landing of landings.value.items) {
      const { status, commit = '' } = landing
      expect(status).toBe('landed')
      // The auditor asks git, not Muster, what the tree of the landed commit is.
      const tree = await repository.git('rev-parse', `${commit}^{tree}`)
      expect(landing.checks.map((check) => [check.passed, check.tree])).toEqual([[true, tree]])
      await repository.git('merge-base', '--is-ancestor', commit, job.workingBranch)
    }
  })
})

function statusOf(job: Awaited<ReturnType<TestDaemon['client']['getJob']>>): string {
  return job.ok ? job.value.status : job.failure.message
}
