import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CleanupTrial, Crashed, openCleanupTrial } from '../../../test/support/cleanup-trial.ts'
import { exampleChange, exampleSession } from '../../../test/support/example-records.ts'
import { daysBefore } from '../../domain/cleanup/days-before.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { CLEANUP_LIMITS } from '../../domain/limits/cleanup-limits.ts'
import { failure, success } from '../../domain/result.ts'
import type { CrashPoint } from '../../ports/crash-points.ts'
import type { WorkingTrees } from '../../ports/working-trees.ts'
import { hostOf } from '../sessions/host-of.ts'
import { treeOf } from '../trees/tree-of.ts'
import { cleanJobs } from './clean-jobs.ts'
import { deleteJob, previewDeletion } from './delete-job.ts'
import { finishDeletion } from './finish-deletion.ts'
import { listPinnedWork } from './list-pinned-work.ts'
import { restoreWork } from './restore-work.ts'

let trial: CleanupTrial

beforeAll(async () => {
  trial = await openCleanupTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

async function listed(job: JobId, isAll = false) {
  const found = await listPinnedWork(trial.needs, { job, isAll, limit: 50 })
  if (!found.ok) throw new Error(found.failure.type)
  return found.value
}

/** The tables that still have rows of a job. */
async function tablesWith(jobId: JobId): Promise<readonly string[]> {
  const tables = ['jobs', 'cycles', 'tasks', 'attempts', 'sessions', 'landings', 'deletions']
  const found: string[] = []
  for (const table of tables) {
    const column = table === 'jobs' ? 'id' : 'job_id'
    const rows = await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${jobId}`.execute(
      trial.database,
    )
    if (rows.rows.length > 0) found.push(table)
  }
  return found
}

async function auditOf(jobId: JobId): Promise<readonly string[]> {
  const rows = await sql<{
    action: string
  }>`select action from audit where subject = ${jobId} order by seq`.execute(trial.database)
  return rows.rows.map(({ action }) => action)
}

describe('work that did not land', () => {
  it('is listed with its reason and size, but not if it landed', async () => {
    const job = await trial.addJob()
    const landed = await trial.addWork(job)
    await trial.land(job, landed)
    const failed = await trial.addWork(job)
    expect(await listed(job.id)).toMatchObject([
      {
        id: failed.attempt.id,
        commit: failed.commit,
        fate: 'unlanded',
        reason: 'check "npm test" exited with code 1',
        task: { id: failed.task.id },
        size: { files: 1, added: 1, removed: 0, bytes: 5 },
      },
    ])
  })

  it('is not missing if its task landed by another attempt, or if an agent only planned', async () => {
    const job = await trial.addJob()
    const completed = { type: 'completed', commit: 'c'.repeat(40) } as const
    await trial.addWork(job, { task: { state: completed } })
    const [cycle] = await trial.store.read.cycles.listOf(job.id)
    if (cycle === undefined) throw new Error('there is no cycle')
    const purpose = { type: 'discovery', cycleId: cycle.id } as const
    await trial.addWork(job, { attempt: { purpose, role: 'planner' } })
    expect(await listed(job.id)).toEqual([])
    expect((await listed(job.id, true)).map(({ fate }) => fate).toSorted()).toEqual(['scratch', 'superseded'])
  })

  it('is not missing if the task that merged it after a conflict landed', async () => {
    const job = await trial.addJob()
    const state = { type: 'blocked', reason: 'conflicts in a.txt', paths: ['a.txt'] } as const
    const { task, commit: tip } = await trial.addWork(job, { task: { state } })
    const origin = { type: 'conflict', taskId: task.id, tip, paths: ['a.txt'] } as const
    const completed = { type: 'completed', commit: 'c'.repeat(40) } as const
    await trial.addWork(job, { task: { origin, state: completed } })
    expect(await listed(job.id)).toEqual([])
  })

  it('is missing even if a later task landed for the same part of a goal that is reached', async () => {
    const job = await trial.addJob()
    const state = { type: 'blocked', reason: 'the agent failed', paths: [] } as const
    const blocked = await trial.addWork(job, { task: { state, clauses: [1] } })
    const completed = { type: 'completed', commit: 'c'.repeat(40) } as const
    const later = await trial.addWork(job, { task: { state: completed, cycleNumber: 2, clauses: [1] } })
    await trial.land(job, later)
    expect(await listed(job.id)).toMatchObject([{ id: blocked.attempt.id, fate: 'unlanded' }])
    await trial.hub.branches.deliver(job.projectId, job.repositoryPath, job.workingBranch)
    const works = [`t1-1 (${blocked.attempt.id})`]
    expect(await deleteJob(trial.needs, job.id)).toMatchObject({ failure: { type: 'work-unlanded', works } })
  })

  it('becomes a new branch of the repository, and the checkout stays as it was', async () => {
    const job = await trial.addJob()
    const { attempt, task, commit } = await trial.addWork(job)
    const before = await trial.repository.fingerprint()
    const restored = await restoreWork(trial.needs, task.id)
    const branch = `muster/recovered-t1-1-${attempt.id.slice(-5)}`
    expect(restored).toMatchObject({ ok: true, value: { branch, isNew: true } })
    expect(await trial.repository.git('rev-parse', branch)).toBe(commit)
    expect(await trial.repository.fingerprint()).toBe(before)
    expect(await listed(job.id)).toEqual([])
    expect(await listed(job.id, true)).toMatchObject([{ fate: 'restored' }])
    expect(await restoreWork(trial.needs, attempt.id)).toMatchObject({ ok: true, value: { isNew: false } })
    expect(await restoreWork(trial.needs, attempt.id, { branch: 'again' })).toMatchObject({
      value: { branch: 'again' },
    })
  })

  it('is restored only if the person asks for it explicitly if it was refused', async () => {
    const job = await trial.addJob()
    const { attempt, task, commit } = await trial.addWork(job)
    const { projectId: project, baseCommit: base, hub } = trial
    const directory = treeOf(trial.needs, attempt.id)
    await hub.trees.open({ project, directory, commit, branch: 'muster/task' })
    const diff = await hub.history.diff(project, base, commit, 0)
    const exclude = diff.ok ? diff.value.files.map(({ path }) => path) : []
    const request = { project, attemptId: attempt.id, directory, base, message: 'left', exclude }
    expect(await hub.trees.collect(request)).toMatchObject({ value: { type: 'refused', tip: commit } })
    await hub.trees.remove(directory)

    const [listedWork] = await listed(job.id)
    expect(listedWork?.refusal).toContain(exclude[0])
    const refused = { failure: { type: 'work-refused', id: attempt.id, reason: listedWork?.refusal } }
    expect(await restoreWork(trial.needs, task.id)).toMatchObject(refused)
    const branch = `muster/recovered-t1-1-${attempt.id.slice(-5)}`
    expect(await hub.branches.tipIn(job.repositoryPath, branch)).toBeUndefined()
    const restored = await restoreWork(trial.needs, task.id, { withRefusedWork: true })
    expect(restored).toMatchObject({ ok: true, value: { branch, isNew: true } })
    expect(await hub.branches.tipIn(job.repositoryPath, branch)).toBe(commit)
    // What the person has once asked for is already there.
    expect(await restoreWork(trial.needs, task.id)).toMatchObject({ ok: true, value: { isNew: false } })
    await deleteJob(trial.needs, job.id)
    const left = (await hub.copies.refs(project)) as { value: object }
    expect(Object.keys(left.value).filter((ref) => ref.endsWith(attempt.id))).toEqual([])
  })

  it('never overwrites a branch', async () => {
    const job = await trial.addJob()
    const { attempt } = await trial.addWork(job)
    const taken = { ok: false, failure: { type: 'recovery-branch-taken', branch: 'main' } }
    expect(await restoreWork(trial.needs, attempt.id, { branch: 'main' })).toMatchObject(taken)
    expect(await restoreWork(trial.needs, attempt.id, { branch: 'main/below' })).toMatchObject(taken)
    expect(await restoreWork(trial.needs, attempt.id, { branch: '-x' })).toMatchObject({
      failure: { type: 'recovery-branch-invalid' },
    })
    expect(await restoreWork(trial.needs, 'att_nonsense')).toMatchObject({
      failure: { type: 'pin-not-found' },
    })
  })

  it('cannot be restored without the repository', async () => {
    const job = await trial.addJob()
    const { attempt } = await trial.addWork(job)
    const { path } = trial.repository
    await rename(path, `${path}.away`)
    const restored = await restoreWork(trial.needs, attempt.id, { branch: 'elsewhere' })
    await rename(`${path}.away`, path)
    expect(restored).toMatchObject({ failure: { type: 'repository-moved', path } })
  })
})

describe('deleting a job', () => {
  it('removes its rows, events, files, pins and branch, and adds to the audit log', async () => {
    const job = await trial.addJob()
    const work = await trial.addWork(job)
    await trial.land(job, work)
    await trial.hub.branches.deliver(job.projectId, job.repositoryPath, job.workingBranch)
    const directory = trial.needs.host.directoryOf(hostOf(work.session))
    expect(await trial.needs.disk.exists(directory)).toBe(true)

    expect(await previewDeletion(trial.needs, job.id)).toMatchObject({ ok: true, value: { unlanded: [] } })
    const deleted = await deleteJob(trial.needs, job.id)
    expect(deleted.ok && deleted.value.bytes).toBeGreaterThan(0)
    expect(await tablesWith(job.id)).toEqual([])
    expect(await trial.needs.disk.exists(directory)).toBe(false)
    expect(await trial.refs()).not.toContain(`refs/muster/attempts/${work.attempt.id}`)
    expect(await trial.refs()).not.toContain(`refs/heads/${job.workingBranch}`)
    expect(await auditOf(job.id)).toEqual(['job-delete', 'job-deleted'])
    const events = await sql`select type from events where stream_id = ${job.id}`.execute(trial.database)
    expect(events.rows).toEqual([{ type: 'job_deleted' }])
    // The person's branch is theirs.
    expect(await trial.repository.git('rev-parse', job.workingBranch)).toBe(work.commit)
    expect(await deleteJob(trial.needs, job.id)).toMatchObject({ failure: { type: 'job-not-found' } })
  })

  it('is refused while it runs, or while one of its sessions does', async () => {
    const running = await trial.addJob({ state: { type: 'running', pausing: false } })
    expect(await deleteJob(trial.needs, running.id)).toMatchObject({
      failure: { type: 'job-not-ended', status: 'running' },
    })
    const ended = await trial.addJob()
    const session = exampleSession(ended)
    await trial.store.transact((records) => records.sessions.insert(session, exampleChange()))
    expect(await deleteJob(trial.needs, ended.id)).toMatchObject({
      failure: { type: 'job-in-use', by: session.id },
    })
    expect(await tablesWith(ended.id)).toContain('jobs')
  })

  it('is refused if work would be lost, until it is restored or the person agrees', async () => {
    const job = await trial.addJob()
    const { attempt } = await trial.addWork(job)
    const refused = { failure: { type: 'work-unlanded', works: [`t1-1 (${attempt.id})`] } }
    expect(await deleteJob(trial.needs, job.id)).toMatchObject(refused)
    expect(await tablesWith(job.id)).toContain('attempts')
    await restoreWork(trial.needs, attempt.id)
    expect(await deleteJob(trial.needs, job.id)).toMatchObject({ ok: true })
    const other = await trial.addJob()
    await trial.addWork(other)
    expect(await deleteJob(trial.needs, other.id, { withUnlandedWork: true })).toMatchObject({ ok: true })
  })

  it('pins the work that is still only in a tree before it decides', async () => {
    const job = await trial.addJob()
    const { attempt } = await trial.addWork(job, { attempt: { tip: undefined as never } })
    await trial.hub.pins.remove(trial.projectId, [attempt.id])
    const directory = treeOf(trial.needs, attempt.id)
    const { projectId: project, baseCommit: commit } = trial
    await trial.hub.trees.open({ project, directory, commit, branch: 'muster/task' })
    await writeFile(join(directory, 'only-here.txt'), 'work\n')
    expect(await deleteJob(trial.needs, job.id)).toMatchObject({ failure: { type: 'work-unlanded' } })
    expect(await trial.refs()).toContain(`refs/muster/attempts/${attempt.id}`)
    // Looking must not remove anything.
    expect(await trial.needs.disk.exists(join(directory, 'only-here.txt'))).toBe(true)
  })

  it('is refused if the work in a tree cannot be collected, unless the person agrees to lose it', async () => {
    const job = await trial.addJob()
    const baseCommit = 'd'.repeat(40)
    const { attempt } = await trial.addWork(job, { attempt: { tip: undefined as never, baseCommit } })
    await trial.hub.pins.remove(trial.projectId, [attempt.id])
    const directory = treeOf(trial.needs, attempt.id)
    const { projectId: project, baseCommit: commit } = trial
    await trial.hub.trees.open({ project, directory, commit, branch: 'muster/task' })
    const works = [expect.stringContaining(`the work in ${directory}, which can't be collected`)]
    expect(await deleteJob(trial.needs, job.id)).toMatchObject({ failure: { type: 'work-unlanded', works } })
    expect(await trial.needs.disk.exists(directory)).toBe(true)
    expect(await deleteJob(trial.needs, job.id, { withUnlandedWork: true })).toMatchObject({ ok: true })
    expect(await trial.needs.disk.exists(directory)).toBe(false)
  })

  it('is refused if the hub no longer has the work that it should have', async () => {
    const job = await trial.addJob()
    const { attempt } = await trial.addWork(job)
    await trial.hub.pins.remove(trial.projectId, [attempt.id])
    const works = [expect.stringContaining(attempt.id)]
    expect(await deleteJob(trial.needs, job.id)).toMatchObject({ failure: { type: 'work-unlanded', works } })
    const old = { endedBefore: daysBefore(trial.clock.time, -1), isDryRun: true }
    const { jobs } = await cleanJobs(trial.needs, old)
    const kept = jobs.find((cleaned) => cleaned.job.id === job.id)?.kept
    expect(kept).toContain('is missing')
    expect(await deleteJob(trial.needs, job.id, { withUnlandedWork: true })).toMatchObject({ ok: true })
  })

  it('works without the hub if the person agrees to lose the work', async () => {
    const job = await trial.addJob()
    const { attempt } = await trial.addWork(job)
    const hub = dirname(trial.hub.branches.objectsPath(trial.projectId))
    await rename(hub, `${hub}.moved`)
    const works = [expect.stringContaining(attempt.id)]
    const kept = await deleteJob(trial.needs, job.id)
    const deleted = await deleteJob(trial.needs, job.id, { withUnlandedWork: true })
    await rename(`${hub}.moved`, hub)
    expect(kept).toMatchObject({ failure: { type: 'work-unlanded', works } })
    expect(deleted).toMatchObject({ ok: true })
  })

  it("removes the snapshot of the person's uncommitted changes with the last job that started from it", async () => {
    const { hub, repository, projectId } = trial
    await writeFile(join(repository.path, 'draft.txt'), 'draft\n')
    const source = await hub.branches.inspectSource(repository.path)
    if (!source.ok) throw new Error(source.failure.type)
    const request = { source: source.value, head: source.value.head.commit, exclude: [] }
    const snapshot = await hub.branches.snapshot(projectId, request)
    if (!snapshot.ok || snapshot.value === undefined) throw new Error('there is no snapshot')
    await rm(join(repository.path, 'draft.txt'))
    const { commit: baseCommit, head, files } = snapshot.value
    const { plan } = await trial.addJob()
    const fields = { baseCommit, plan: { ...plan, snapshot: { head, files, fileCount: files.length } } }
    const [one, two] = [await trial.addJob(fields), await trial.addJob(fields)]
    const isKept = async () => {
      const refs = await hub.copies.refs(projectId)
      return refs.ok && Object.keys(refs.value).includes(`refs/muster/base/${baseCommit}`)
    }
    await deleteJob(trial.needs, one.id)
    expect(await isKept()).toBe(true)
    await deleteJob(trial.needs, two.id)
    expect(await isKept()).toBe(false)
  })

  it('is refused if what landed never reached the repository', async () => {
    const job = await trial.addJob()
    await trial.land(job, await trial.addWork(job))
    expect(await deleteJob(trial.needs, job.id)).toMatchObject({ failure: { type: 'work-unlanded' } })
    expect(await trial.refs()).toContain(`refs/heads/${job.workingBranch}`)
  })

  it("is allowed if the repository has what landed, but not Muster's later commit on the branch", async () => {
    const job = await trial.addJob()
    const work = await trial.addWork(job)
    await trial.land(job, work)
    const { hub, projectId } = trial
    await hub.branches.deliver(projectId, job.repositoryPath, job.workingBranch)
    const later = await hub.commits.commitFiles(
      projectId,
      work.commit,
      { 'TASKLIST.md': 'tasks\n' },
      'the task list',
    )
    if (!later.ok) throw new Error(later.failure.type)
    expect(await hub.branches.move(projectId, job.workingBranch, later.value, work.commit)).toMatchObject({
      ok: true,
    })
    expect(await deleteJob(trial.needs, job.id)).toMatchObject({ ok: true })
  })

  it("deletes the person's branch only if asked, and only if nothing is lost with it", async () => {
    const job = await trial.addJob()
    const work = await trial.addWork(job)
    await trial.land(job, work)
    await trial.hub.branches.deliver(job.projectId, job.repositoryPath, job.workingBranch)
    const withBranch = { withBranch: true }
    // The branch is the only one that has the work.
    expect(await deleteJob(trial.needs, job.id, withBranch)).toMatchObject({
      failure: { type: 'work-unlanded' },
    })
    await trial.repository.git('branch', `merged-${job.id}`, work.commit)
    expect(await deleteJob(trial.needs, job.id, withBranch)).toMatchObject({
      ok: true,
      value: { removedBranch: work.commit },
    })
    expect(await trial.hub.branches.tipIn(job.repositoryPath, job.workingBranch)).toBeUndefined()
  })

  it('knows work that the person squashed into the base branch before deleting the working branch', async () => {
    const job = await trial.addJob()
    const work = await trial.addWork(job)
    await trial.land(job, work)
    expect(await deleteJob(trial.needs, job.id)).toMatchObject({ failure: { type: 'work-unlanded' } })
    await trial.hub.branches.deliver(job.projectId, job.repositoryPath, job.workingBranch)
    await trial.repository.git('merge', '-q', '--squash', job.workingBranch)
    await trial.repository.git('commit', '-qm', 'All at once')
    await trial.repository.git('branch', '-qD', job.workingBranch)
    await trial.repository.git('commit', '-q', '--allow-empty', '-m', 'Later')
    expect(await deleteJob(trial.needs, job.id)).toMatchObject({ ok: true })
  })

  it('deletes a branch only once, even if it has to be finished later', async () => {
    const job = await trial.addJob()
    const work = await trial.addWork(job)
    await trial.land(job, work)
    await trial.hub.branches.deliver(job.projectId, job.repositoryPath, job.workingBranch)
    await trial.repository.git('branch', `kept-${job.id}`, work.commit)
    trial.crashes.at = 'job-delete.after-refs'
    await deleteJob(trial.needs, job.id, { withBranch: true }).catch(() => undefined)
    trial.crashes.at = undefined
    expect(await trial.hub.branches.tipIn(job.repositoryPath, job.workingBranch)).toBeUndefined()
    await trial.repository.git('branch', job.workingBranch, work.commit)
    await finishDeletion(trial.needs, job.id)
    expect(await trial.hub.branches.tipIn(job.repositoryPath, job.workingBranch)).toBe(work.commit)
  })

  const points: readonly CrashPoint[] = [
    'job-delete.before-rows',
    'job-delete.after-rows',
    'job-delete.after-refs',
    'job-delete.after-files',
  ]
  it.each(points)('is whole or can be finished after a crash at %s', async (point) => {
    const job = await trial.addJob()
    const work = await trial.addWork(job)
    trial.crashes.at = point
    trial.sent.length = 0
    const deletion = deleteJob(trial.needs, job.id, { withUnlandedWork: true })
    // In this test, the process goes on after what would have been a crash, so a crash while finishing is only logged.
    await deletion.catch((error: unknown) => expect(error).toBeInstanceOf(Crashed))
    trial.crashes.at = undefined
    const tables = await tablesWith(job.id)
    if (point === 'job-delete.before-rows') {
      expect(tables).toEqual(['jobs', 'cycles', 'tasks', 'attempts', 'sessions'])
      expect(await trial.refs()).toContain(`refs/muster/attempts/${work.attempt.id}`)
      return
    }
    expect(tables).toEqual(['deletions'])
    expect(trial.sent).toEqual([{ type: 'deletion-finish', jobId: job.id }])
    expect(await trial.store.read.deletions.listOpen()).toMatchObject([{ jobId: job.id }])
    await finishDeletion(trial.needs, job.id)
    await finishDeletion(trial.needs, job.id)
    expect(await tablesWith(job.id)).toEqual([])
    expect(await trial.refs()).not.toContain(`refs/muster/attempts/${work.attempt.id}`)
    expect(await trial.needs.disk.exists(trial.needs.host.directoryOf(hostOf(work.session)))).toBe(false)
    expect(await auditOf(job.id)).toEqual(['job-delete', 'job-deleted'])
  })
})

describe('cleaning', () => {
  it('deletes only jobs that are old enough, and keeps young work and undelivered work', async () => {
    const now = trial.clock.time
    const ago = (days: number) => daysBefore(now, days)
    const old = { completedAt: ago(CLEANUP_LIMITS.jobDays + 1) }
    const young = await trial.addJob({ completedAt: ago(1) })
    const empty = await trial.addJob(old)
    const withOldWork = await trial.addJob(old)
    await trial.addWork(withOldWork, { attempt: { endedAt: ago(CLEANUP_LIMITS.pinnedDays + 1) } })
    const withYoungWork = await trial.addJob(old)
    await trial.addWork(withYoungWork, { attempt: { endedAt: ago(CLEANUP_LIMITS.pinnedDays - 1) } })
    const undelivered = await trial.addJob(old)
    await trial.land(undelivered, await trial.addWork(undelivered))

    const fates = ({ jobs }: Awaited<ReturnType<typeof cleanJobs>>) =>
      Object.fromEntries(jobs.map(({ job, kept }) => [job.id, kept ?? 'deleted']))
    const expected = {
      [empty.id]: 'deleted',
      [withOldWork.id]: 'deleted',
      [withYoungWork.id]: 'it has work that did not land and is kept for 30 days: t1-1',
      [undelivered.id]: `what landed on ${undelivered.workingBranch} is in no branch of your repository`,
    }
    expect(fates(await cleanJobs(trial.needs, { isDryRun: true }))).toEqual(expected)
    expect(await tablesWith(empty.id)).toContain('jobs')
    expect(fates(await cleanJobs(trial.needs, { isDryRun: false }))).toEqual(expected)
    expect(await tablesWith(empty.id)).toEqual([])
    expect(await tablesWith(withOldWork.id)).toEqual([])
    for (const kept of [young, withYoungWork, undelivered]) {
      expect(await tablesWith(kept.id)).toContain('jobs')
    }
  })

  it('keeps a job with a tree whose work cannot be collected, also if it cannot only from now on', async () => {
    const endedAt = daysBefore(trial.clock.time, CLEANUP_LIMITS.pinnedDays + 1)
    const job = await trial.addJob({ completedAt: endedAt })
    await trial.addWork(job, { attempt: { endedAt } })
    const unpinned = { endedAt, tip: undefined as never }
    const { attempt } = await trial.addWork(job, { attempt: unpinned })
    await trial.hub.pins.remove(trial.projectId, [attempt.id])
    const directory = treeOf(trial.needs, attempt.id)
    await mkdir(directory, { recursive: true })
    const failed = failure({ type: 'git-failed', command: 'git add', problem: 'it is broken' } as const)
    const failingFrom = (call: number) => {
      let calls = 0
      const collect: WorkingTrees['collect'] = async () => {
        calls += 1
        return calls >= call ? failed : success({ type: 'refused', tip: trial.baseCommit, reason: 'no' })
      }
      return { ...trial.needs, trees: { ...trial.needs.trees, collect } }
    }
    const keptBy = async (needs: typeof trial.needs, isDryRun: boolean) =>
      (await cleanJobs(needs, { isDryRun })).jobs.find((cleaned) => cleaned.job.id === job.id)?.kept
    const reason = `the work in ${directory} can't be collected (git add: it is broken)`
    expect(await keptBy(failingFrom(1), true)).toBe(reason)
    expect(await keptBy(failingFrom(1), false)).toBe(reason)
    expect(await keptBy(failingFrom(2), false)).toBe('it could not be deleted: work-unlanded')
    expect(await trial.needs.disk.exists(directory)).toBe(true)
    expect(await tablesWith(job.id)).toContain('jobs')
  })

  it('finds jobs to delete behind any number of jobs that it keeps', async () => {
    const endedAt = (hours: number) => new Date(trial.clock.time.getTime() - hours * 60 * 60_000)
    const before = { endedBefore: endedAt(24), isDryRun: false }
    const first: Job[] = []
    for (const hours of [1_000, 999, 999, 998]) {
      const kept = await trial.addJob({ completedAt: endedAt(hours) })
      await trial.addWork(kept)
      first.push(kept)
    }
    const last = [
      await trial.addJob({ completedAt: endedAt(900) }),
      await trial.addJob({ completedAt: endedAt(900) }),
    ]
    const { jobs } = await cleanJobs(trial.needs, before, 2)
    const own = new Set([...first, ...last].map(({ id }) => id))
    const fates = jobs.filter(({ job }) => own.has(job.id)).map(({ kept }) => kept !== undefined)
    expect(fates).toEqual([true, true, true, true, false, false])
    for (const { id } of last) expect(await tablesWith(id)).toEqual([])
  })
})
