import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireMerge } from '../../src/client/index.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { processesWith } from '../support/processes.ts'
import { quickHome } from '../support/quick-home.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { type TestDaemon, type TestHome, until, waitForJob } from '../support/test-daemon.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

let home: TestHome
let daemon: TestDaemon

beforeAll(async () => {
  home = await quickHome()
  daemon = await home.start()
})

afterAll(() => home[Symbol.asyncDispose]())

/** A repository in which a job has landed one file, and whose owner is on another branch than the base. */
async function landed(checks: readonly string[] = ['test -f one.txt || test -f tools/worker.sh']) {
  const repository = await testRepository({
    ...shellProject([{ description: 'write the file', script: commitFile('one.txt', 'one') }], { checks }),
    'shared.txt': 'maybe\n',
  })
  const started = await daemon.client.startJob({
    repositoryPath: repository.path,
    requestDocument: '- write the file',
    baseBranch: 'main',
  })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  const job = await waitForJob(daemon.client, started.value.id)
  const work = await repository.git('rev-parse', job.workingBranch)
  await repository.git('checkout', '-q', '-b', 'elsewhere')
  return { repository, job, work, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
}

/** Somebody else's commit on the base branch. */
async function moveBase(repository: TestRepository, file: string, text = 'theirs'): Promise<string> {
  const before = await repository.git('symbolic-ref', '--short', 'HEAD')
  await repository.git('checkout', '-q', 'main')
  await repository.write({ [file]: `${text}\n` })
  await repository.commit(`change ${file}`)
  await repository.git('checkout', '-q', before)
  return repository.git('rev-parse', 'main')
}

async function merge(jobId: string): Promise<WireMerge> {
  const merged = await daemon.client.mergeJob(jobId)
  if (!merged.ok) throw new Error(JSON.stringify(merged.failure))
  return merged.value
}

async function merged(jobId: string): Promise<WireMerge> {
  let seen = await merge(jobId)
  await until(async () => {
    const looked = await daemon.client.getMerge(jobId)
    if (looked.ok) seen = looked.value
    return seen.status !== 'checking'
  })
  return seen
}

const muster = (...words: readonly string[]) => runCommandLine(words, { home: home.home })

describe('merging a job', () => {
  it('moves a base branch forward that has not moved, and not the checkout', async () => {
    await using work = await landed()
    const { repository, job } = work
    const before = await repository.fingerprint()
    expect(await merge(job.id)).toMatchObject({ status: 'merged', hasMoved: true, commit: work.work })
    expect(await repository.git('rev-parse', 'main')).toBe(work.work)
    expect(await repository.fingerprint()).toBe(before)
    expect(await merge(job.id)).toMatchObject({ status: 'merged', hasMoved: false })
    const again = await muster('merge', job.id)
    expect([again.code, again.stdout]).toEqual([0, 'all of it is in main already\n'])
  })

  it('checks the merge with a base that moved, on exactly its tree, before it moves the branch', async () => {
    await using work = await landed()
    const { repository, job } = work
    const base = await moveBase(repository, 'theirs.txt')
    const run = await muster('merge', job.id, '--json')
    expect(run.code).toBe(0)
    const tip = await repository.git('rev-parse', 'main')
    expect(JSON.parse(run.stdout)).toMatchObject({ data: { status: 'merged', commit: tip } })
    expect((await repository.git('rev-list', '--parents', '-n1', tip)).split(' ')).toEqual([
      tip,
      base,
      work.work,
    ])
    expect(await repository.git('ls-tree', '--name-only', tip)).toContain('theirs.txt')
    const report = await daemon.client.listReports({ job: job.id })
    expect(report).toMatchObject({ ok: true, value: { items: [{ finalizeReady: true, notReady: [] }] } })
  })

  it('is made once when the daemon dies after the branch has moved and before it knows', async () => {
    await using work = await landed()
    const { repository, job } = work
    await moveBase(repository, 'theirs.txt')
    await daemon.stop()
    daemon = await home.start({ MUSTER_CRASH_AT: 'merge.after-delivery:1' })
    await daemon.client.mergeJob(job.id).catch(() => undefined)
    await until(() => daemon.process.signalCode === 'SIGKILL')
    const tip = await repository.git('rev-parse', 'main')
    expect(await repository.git('ls-tree', '--name-only', tip)).toContain('one.txt')
    daemon = await home.start()
    // By itself: nobody asks again.
    await until(async () => {
      const looked = await daemon.client.getMerge(job.id)
      return looked.ok && looked.value.status === 'merged'
    })
    expect(await merge(job.id)).toMatchObject({ status: 'merged', commit: tip })
    expect(await repository.git('rev-parse', 'main')).toBe(tip)
  }, 120_000)

  it('refuses what conflicts, with the paths, and changes nothing', async () => {
    await using work = await landed()
    const { repository, job } = work
    const base = await moveBase(repository, 'one.txt')
    expect(await daemon.client.mergeJob(job.id)).toMatchObject({
      ok: false,
      failure: { type: 'merge-conflict', status: 409, details: { paths: ['one.txt'] } },
    })
    expect(await repository.git('rev-parse', 'main')).toBe(base)
    const run = await muster('merge', job.id)
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('one.txt')
  })

  it('leaves a base branch alone that is checked out, and says the one command', async () => {
    await using work = await landed()
    const { repository, job } = work
    await repository.git('checkout', '-q', 'main')
    const before = await repository.fingerprint()
    const run = await muster('merge', job.id)
    expect(run.code).toBe(3)
    expect(run.stdout).toContain(`merge --ff-only ${job.workingBranch}`)
    expect(await repository.fingerprint()).toBe(before)
    await repository.git('merge', '--ff-only', job.workingBranch)
    expect(await merge(job.id)).toMatchObject({ status: 'merged', hasMoved: false })
  })

  it('brings the checked merge as the working branch where the base is checked out and has moved', async () => {
    await using work = await landed()
    const { repository, job } = work
    const base = await moveBase(repository, 'theirs.txt')
    await repository.git('checkout', '-q', 'main')
    const waiting = await merged(job.id)
    expect(waiting).toMatchObject({ status: 'waiting' })
    expect(await repository.git('rev-parse', 'main')).toBe(base)
    expect(await repository.git('rev-parse', job.workingBranch)).toBe(waiting.commit)
    await repository.git('merge', '--ff-only', job.workingBranch)
    expect(await repository.git('status', '--porcelain')).toBe('')
    expect((await daemon.client.getMerge(job.id)).ok).toBe(true)
    expect(await merge(job.id)).toMatchObject({ status: 'merged', hasMoved: false, commit: waiting.commit })
  })

  it('refuses a merge whose check fails, with its last words; mended, it goes through', async () => {
    await using work = await landed(['! test -e broken.txt || { echo "the sky is falling"; exit 3; }'])
    const { repository, job } = work
    const base = await moveBase(repository, 'broken.txt')
    const run = await muster('merge', job.id)
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('the sky is falling')
    expect(await repository.git('rev-parse', 'main')).toBe(base)
    await repository.git('checkout', '-q', 'main')
    await repository.git('rm', '-q', 'broken.txt')
    await repository.git('commit', '-q', '-m', 'mend it')
    await repository.git('checkout', '-q', 'elsewhere')
    expect(await merged(job.id)).toMatchObject({ status: 'merged' })
    expect(await repository.git('show', 'main:one.txt')).toBe('one')
  })

  it('is refused while nothing has landed', async () => {
    await using repository = await testRepository(shellProject([]))
    const started = await daemon.client.startJob({
      repositoryPath: repository.path,
      requestDocument: 'Go.',
      autoStart: false,
    })
    const jobId = started.ok ? started.value.id : ''
    expect(await daemon.client.mergeJob(jobId)).toMatchObject({
      ok: false,
      failure: { type: 'nothing-landed', status: 409 },
    })
  })

  it('goes on after a death in the middle of the check, and starts over when the base has moved again', async () => {
    const check = 'test ! -e theirs.txt || while [ ! -e "$(cat where-the-gate-is)" ]; do sleep 0.05; done'
    await using work = await landed([check])
    const { repository, job } = work
    const gate = join(repository.path, '.git', 'gate')
    await moveBase(repository, 'where-the-gate-is', gate)
    await moveBase(repository, 'theirs.txt')
    const begun = await merge(job.id)
    expect(begun).toMatchObject({ status: 'checking', check })
    expect((await merge(job.id)).candidateId).toBe(begun.candidateId)
    await until(async () => (await processesWith('where-the-gate-is')).length > 0)
    await daemon.kill()
    const base = await moveBase(repository, 'later.txt')
    await writeFile(gate, '')
    daemon = await home.start()
    await until(async () => {
      const looked = await daemon.client.getMerge(job.id)
      return looked.ok && looked.value.status === 'merged'
    })
    expect((await repository.git('rev-list', '--parents', '-n1', 'main')).split(' ').slice(1)).toEqual([
      base,
      work.work,
    ])
  })
})

describe('the evidence of a job', () => {
  it('is its diff, line by line, and a report of what it rests on', async () => {
    await using work = await landed()
    const { repository, job } = work
    const tasks = await daemon.client.listTasks({ job: job.id })
    const task = tasks.ok ? tasks.value.items[0] : undefined
    const diff = await muster('diff', task?.id ?? '')
    expect(diff.stdout).toContain('1 file, 1 line added, 0 lines removed')
    expect(diff.stdout).toContain('\n+one\n')
    expect(await daemon.client.getJobDiff(job.id)).toMatchObject({
      ok: true,
      value: { isCut: false, from: job.baseCommit, to: work.work },
    })
    expect((await muster('diff', 'tsk_00000000000000000000')).code).toBe(2)

    const report = await runCommandLine(['report'], { home: home.home, cwd: repository.path })
    expect(report.stdout).toContain('### 1. write the file')
    expect(report.stdout).toContain('(git agrees)')
    expect(report.stdout).toContain('## Ready to be taken as final')
  })
})
