import { rename, rm, symlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { randomPart } from '../../src/domain/short-id.ts'
import { commitFile, shellProject } from '../support/command-agents.ts'
import { runCommandLine } from '../support/run-command-line.ts'
import { runJob, tasksOf } from '../support/run-job.ts'
import { shareDaemon } from '../support/shared-daemon.ts'
import { take } from '../support/take.ts'
import { type TestRepository, testRepository } from '../support/test-repository.ts'

// What a merge does and refuses is tested in src/engine/landing/merge. These tests use the command line.

const shared = shareDaemon()

/** A repository in which a job has landed one file, and whose person is on another branch than the base. */
async function landed(checks: readonly string[] = ['test -f one.txt || test -f tools/worker.sh']) {
  const repository = await testRepository(
    shellProject([{ description: 'write the file', script: commitFile('one.txt', 'one') }], {
      checks,
      // With a task list, a merge would add a commit that takes it off the branch.
      taskList: 'none',
    }),
  )
  const job = await runJob(shared.client, repository, {
    requestDocument: '- write the file',
    baseBranch: 'main',
  })
  const work = await repository.git('rev-parse', job.workingBranch)
  await repository.git('checkout', '-q', '-b', 'elsewhere')
  return { repository, job, work, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
}

/** Someone else's commit on the base branch. */
async function moveBase(repository: TestRepository, file: string, text = 'theirs'): Promise<string> {
  await repository.git('checkout', '-q', 'main')
  await repository.write({ [file]: `${text}\n` })
  await repository.commit(`change ${file}`)
  await repository.git('checkout', '-q', 'elsewhere')
  return repository.git('rev-parse', 'main')
}

const muster = (...words: readonly string[]) => runCommandLine(words, { home: shared.home.home })

describe('muster merge', () => {
  it('moves the base branch forward without touching the checkout', async () => {
    await using work = await landed()
    const { repository, job } = work
    const before = await repository.fingerprint()
    expect(take(await shared.client.mergeJob(job.id))).toMatchObject({
      status: 'merged',
      hasMoved: true,
      commit: work.work,
    })
    expect(await repository.git('rev-parse', 'main')).toBe(work.work)
    expect(await repository.fingerprint()).toBe(before)
    const again = await muster('merge', job.id)
    expect([again.code, again.stdout]).toEqual([0, 'everything is already in main\n'])
    const shown = await muster('show', job.id)
    expect(shown.stdout).toMatch(
      new RegExp(`\\nmerged into main at ${work.work.slice(0, 10)}, \\d\\d:\\d\\d\\n`),
    )
    expect(shown.stdout).not.toContain('merge the work')
  })

  it('checks the merge with a base branch that has moved', async () => {
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
    const reports = take(await shared.client.listReports({ job: job.id }))
    expect(reports.items).toMatchObject([{ finalizeReady: true, notReady: [] }])
  })

  it('names the paths that conflict, and changes nothing', async () => {
    await using work = await landed()
    const { repository, job } = work
    const base = await moveBase(repository, 'one.txt')
    const run = await muster('merge', job.id)
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('one.txt')
    expect(await repository.git('rev-parse', 'main')).toBe(base)
  })

  it('changes a checkout of the base branch only if asked to', async () => {
    await using work = await landed()
    const { repository, job } = work
    await repository.git('checkout', '-q', 'main')
    const before = await repository.fingerprint()
    const run = await muster('merge', job.id)
    expect(run.code).toBe(3)
    expect(run.stderr).toMatch(new RegExp(`merge job_${randomPart(job.id).slice(0, 4)}\\w* --checkout`))
    expect(await repository.fingerprint()).toBe(before)
    expect(await muster('merge', job.id, '--checkout')).toMatchObject({ code: 0 })
    expect(await repository.git('status', '--porcelain')).toBe('')
    expect(take(await shared.client.mergeJob(job.id))).toMatchObject({ status: 'merged', hasMoved: false })
  })

  it('prints the output of the check that failed, and merges once the base branch is repaired', async () => {
    await using work = await landed(['! test -e broken.txt || { echo "the sky is falling"; exit 3; }'])
    const { repository, job } = work
    const base = await moveBase(repository, 'broken.txt')
    const refused = await muster('merge', job.id)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('the sky is falling')
    expect(await repository.git('rev-parse', 'main')).toBe(base)
    await repository.git('checkout', '-q', 'main')
    await repository.git('rm', '-q', 'broken.txt')
    await repository.git('commit', '-q', '-m', 'repair it')
    await repository.git('checkout', '-q', 'elsewhere')
    expect((await muster('merge', job.id)).code).toBe(0)
    expect(await repository.git('show', 'main:one.txt')).toBe('one')
  })
})

describe('the evidence of a job', () => {
  it('is printed as a diff and as a report', async () => {
    await using work = await landed()
    const { repository, job } = work
    const [task] = await tasksOf(shared.client, job.id)
    const diff = await muster('diff', task?.id ?? '')
    expect(diff.stdout).toContain('1 file, 1 line added, 0 lines removed')
    expect(diff.stdout).toContain('\n+one\n')
    expect(take(await shared.client.getJobDiff(job.id))).toMatchObject({
      isCut: false,
      from: job.baseCommit,
      to: work.work,
    })
    expect((await muster('diff', 'tsk_00000000000000000000')).code).toBe(2)

    const report = await runCommandLine(['report'], { home: shared.home.home, cwd: repository.path })
    expect(report.stdout).toContain('### 1. write the file')
    expect(report.stdout).toContain('(verified in git)')
    expect(report.stdout).toContain('## Ready to merge')
  })
})

describe('a repository that was moved', () => {
  it('is reported by every command that needs it, and found again through a link', async () => {
    await using work = await landed()
    const { repository, job } = work
    const moved = `${repository.path}-moved`
    await rename(repository.path, moved)
    const missing = `The repository of this job is no longer at ${repository.path}.`
    const remedy = `Move it back, or make a link to its new place: ln -s NEW_PLACE ${repository.path}`
    for (const words of [['merge'], ['pr'], ['pr', '--dry-run']]) {
      const refused = await muster(...words, job.id)
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain(`error: ${missing}\n  try: ${remedy}\n`)
    }
    const shown = await muster('show', job.id)
    expect(shown).toMatchObject({ code: 0, stderr: `warning: ${missing} ${remedy}\n` })
    const doctor = await muster('doctor', '--json')
    expect(doctor.stdout).toContain(`there is no repository at ${repository.path} any more, but 1 job`)

    await symlink(moved, repository.path)
    const merged = await runCommandLine(['merge'], { home: shared.home.home, cwd: moved })
    expect(merged.code).toBe(0)
    await rm(repository.path)
    await rename(moved, repository.path)
    expect(await repository.git('rev-parse', 'main')).toBe(work.work)
  })
})
