import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleChange,
  exampleCycle,
  exampleJob,
  exampleLandingAction,
  exampleSession,
  exampleTask,
  ids,
  storeExampleJob,
} from '../../../test/support/example-records.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import { type TestRepository, testRepository } from '../../../test/support/test-repository.ts'
import { createHub } from '../../adapters/git/hub/create-hub.ts'
import { createLocalHost } from '../../adapters/hosts/local/create-local-host.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import type { Result } from '../../domain/result.ts'
import type { Task } from '../../domain/task/task.ts'
import type { EngineSettings } from '../engine-needs.ts'
import type { LandingNeeds } from '../landing/landing-needs.ts'
import { mergeJob } from '../landing/merge/merge-job.ts'
import { attemptTree } from '../trees/attempt-tree.ts'
import { showDiff } from './diff/diff.ts'
import type { DiffNeeds } from './diff/work-diff.ts'
import { listReports } from './report/list-reports.ts'
import type { ReportNeeds } from './report/load-report-input.ts'

let directory: TemporaryDirectory
let database: Kysely<Database>
let needs: LandingNeeds & ReportNeeds & DiffNeeds

beforeAll(async () => {
  directory = await temporaryDirectory('muster-evidence')
  const connection = { ...(await createTestDatabase()) }
  database = openDatabase(connection, () => undefined)
  const hubsDirectory = join(directory.path, 'hubs')
  needs = {
    store: createPostgresStore({ database, sendWork: async () => () => undefined }),
    ...createHub({ hubsDirectory, gitConfigFile: join(directory.path, 'gitconfig') }),
    host: await createLocalHost({ hostsDirectory: join(directory.path, 'hosts') }),
    clock: { now: () => new Date() },
    ids,
    crash: { reach: () => undefined },
    log: silentLog,
    wakeAt: () => undefined,
    settings: { hubsDirectory, treesDirectory: join(directory.path, 'trees') } as EngineSettings,
  }
})

afterAll(async () => {
  await database.destroy()
  await directory[Symbol.asyncDispose]()
})

function given<Value, Failure>(result: Result<Value, Failure>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.failure))
  return result.value
}

type Stage = AsyncDisposable & { readonly repository: TestRepository; readonly job: Job; readonly task: Task }

/** A running job without checks on a repository whose owner is on another branch, with one task. */
async function openStage(state: Job['state'] = { type: 'running', pausing: false }): Promise<Stage> {
  const repository = await testRepository({ 'a.txt': 'a\n' })
  const projectId = ids.next('project')
  const source = given(await needs.branches.inspectSource(repository.path))
  const base = given(await needs.branches.importBase(projectId, source, 'main')).commit
  const { plan } = exampleJob()
  const wanted = {
    projectId,
    repositoryPath: repository.path,
    baseBranch: 'main',
    baseCommit: base,
    state,
    plan,
  }
  const job = await storeExampleJob(needs.store, wanted)
  const cycle = exampleCycle(job)
  const task = exampleTask(cycle)
  await needs.store.transact(async (records) => {
    await records.cycles.insert(cycle, exampleChange())
    await records.tasks.insertAll([task], exampleChange())
  })
  given(await needs.branches.move(projectId, job.workingBranch, base, undefined))
  await repository.git('checkout', '-q', '-b', 'elsewhere')
  return { repository, job, task, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
}

async function commit({ job }: Stage, parent: string, file: string): Promise<string> {
  return given(
    await needs.commits.commitFiles(job.projectId, parent, { [file]: `${file}\n` }, `write ${file}`),
  )
}

async function leave(
  stage: Stage,
  number: number,
  work: Pick<Attempt, 'state' | 'tip' | 'baseCommit'>,
): Promise<Attempt> {
  const { job, task } = stage
  const attempt = exampleAttempt(job, { purpose: { type: 'task', taskId: task.id }, number, ...work })
  return await needs.store.transact((records) => records.attempts.insert(attempt, exampleChange()))
}

/** Moves the working branch to this commit, with a landing of the task. */
async function land(stage: Stage, tip: string, onto: string, head: string): Promise<Landing> {
  const { job, task } = stage
  const attempt = await leave(stage, 1, { state: ACCEPTED, tip, baseCommit: job.baseCommit })
  const tree = (await needs.history.treeOf(job.projectId, head)) ?? ''
  const landing: Landing = {
    id: ids.next('landing'),
    jobId: job.id,
    taskId: task.id,
    attemptId: attempt.id,
    branch: task.branch,
    tip,
    state: { type: 'landed', commit: head, tree },
    checks: [],
    batchLimit: 64,
    version: 1,
    createdAt: new Date(),
  }
  const candidate = {
    id: ids.next('candidate'),
    jobId: job.id,
    branch: job.workingBranch,
    purpose: { type: 'landings', landingIds: [landing.id] } as const,
    onto,
  }
  await needs.store.transact(async (records) => {
    await records.landings.insert(landing, exampleChange())
    await records.candidates.insert(
      {
        ...candidate,
        commit: head,
        tree,
        state: { type: 'landed' },
        checks: [],
        version: 1,
        createdAt: new Date(),
      },
      exampleChange(),
    )
  })
  given(await needs.branches.move(job.projectId, job.workingBranch, head, job.baseCommit))
  return landing
}

const ACCEPTED = { type: 'settled', outcome: { type: 'accepted' } } as const
const REJECTED = { type: 'settled', outcome: { type: 'rejected', reason: 'no' } } as const

const filesOf = (diff: { readonly files: readonly { readonly path: string }[] }) =>
  diff.files.map(({ path }) => path)

describe('the diff of a task', () => {
  it('contains the whole work, even if the last attempt revised an earlier one', async () => {
    await using stage = await openStage()
    const { job, task } = stage
    const first = await commit(stage, job.baseCommit, 'first.txt')
    const second = await commit(stage, first, 'second.txt')
    expect(await showDiff(needs, { of: 'task', id: task.id })).toMatchObject({
      ok: false,
      failure: { type: 'no-work' },
    })
    await leave(stage, 1, { state: REJECTED, tip: first, baseCommit: job.baseCommit })
    expect(filesOf(given(await showDiff(needs, { of: 'task', id: task.id })))).toEqual(['first.txt'])
    await leave(stage, 2, { state: ACCEPTED, tip: second, baseCommit: first })
    const diff = given(await showDiff(needs, { of: 'task', id: task.id }))
    expect(filesOf(diff)).toEqual(['first.txt', 'second.txt'])
    expect(diff).toMatchObject({ subject: task.id, from: job.baseCommit, to: second, isCut: false })
    expect(diff.gitDirectory).toBe(join(directory.path, 'hubs', `${job.projectId}.git`))
  })

  it('contains only its own work after it has landed on top of other work', async () => {
    await using stage = await openStage()
    const { job, task } = stage
    const tip = await commit(stage, job.baseCommit, 'mine.txt')
    const others = await commit(stage, job.baseCommit, 'others.txt')
    const merge = { onto: others, tips: [tip], messageOf: () => 'land it' }
    const head = given(await needs.commits.mergeBatch(job.projectId, merge)).commit
    await land(stage, tip, others, head)
    expect(filesOf(given(await showDiff(needs, { of: 'task', id: task.id })))).toEqual(['mine.txt'])
    expect(filesOf(given(await showDiff(needs, { of: 'job', id: job.id })))).toEqual([
      'mine.txt',
      'others.txt',
    ])
  })
})

describe('the diff of a session', () => {
  it('contains what its own attempt changed, even while its agent is at work', async () => {
    await using stage = await openStage()
    const { job } = stage
    const first = await commit(stage, job.baseCommit, 'first.txt')
    const second = await commit(stage, first, 'second.txt')
    const attempt = await leave(stage, 2, { state: ACCEPTED, tip: second, baseCommit: first })
    const unfinished = await leave(stage, 3, { state: { type: 'running' }, baseCommit: second })
    const open = async ({ id: attemptId }: Attempt) => {
      const session = exampleSession(job, { purpose: { type: 'attempt', attemptId } })
      await needs.store.transact((records) => records.sessions.insert(session, exampleChange()))
      return showDiff(needs, { of: 'session', id: session.id })
    }
    const diff = given(await open(attempt))
    expect(filesOf(diff)).toEqual(['second.txt'])
    expect(diff).toMatchObject({ from: first, to: second })
    expect(await open(unfinished)).toMatchObject({ failure: { type: 'no-work' } })
    const directory = attemptTree(needs, unfinished)
    const tree = { project: job.projectId, directory, commit: second, branch: 'muster/task' }
    given(await needs.trees.open(tree))
    await writeFile(join(directory, 'third.txt'), 'third')
    const inProgress = { inProgress: true, files: [{ path: 'third.txt' }] }
    expect(given(await open(unfinished))).toMatchObject(inProgress)
    const ofTask = given(await showDiff(needs, { of: 'task', id: stage.task.id }))
    expect(filesOf(ofTask)).toEqual(['first.txt', 'second.txt', 'third.txt'])
    expect(ofTask).toMatchObject({ inProgress: true, from: job.baseCommit })
    expect(await showDiff(needs, { of: 'session', id: 'ses_nothing' })).toMatchObject({ ok: false })
  })
})

describe('the diff of a job', () => {
  it('leaves the task list out, as a merge does, unless asked', async () => {
    await using stage = await openStage()
    const { job } = stage
    const files = {
      'TASKLIST.md': 'diff --git a/mine.txt b/mine.txt\n',
      'mine.txt': 'mine\n',
      'z.txt': 'z\n',
    }
    const tip = given(await needs.commits.commitFiles(job.projectId, job.baseCommit, files, 'work'))
    given(await needs.branches.move(job.projectId, job.workingBranch, tip, job.baseCommit))
    const diff = given(await showDiff(needs, { of: 'job', id: job.id }))
    expect(filesOf(diff)).toEqual(['mine.txt', 'z.txt'])
    expect(diff.leftOut).toEqual(['TASKLIST.md'])
    expect(diff.patch).not.toContain('TASKLIST.md')
    expect(diff.patch.match(/^diff --git .*$/gm)).toEqual(
      ['mine.txt', 'z.txt'].map((name) => `diff --git a/${name} b/${name}`),
    )
    const whole = given(await showDiff(needs, { of: 'job', id: job.id, withTaskList: true }))
    expect(filesOf(whole)).toEqual(['TASKLIST.md', 'mine.txt', 'z.txt'])
    expect(whole.leftOut).toBeUndefined()
    expect(whole.patch).toBe(`${whole.patch.slice(0, -diff.patch.length)}${diff.patch}`)
    await needs.store.withJob(job.id, (records, { plan, ...rest }) =>
      records.jobs.save({ ...rest, plan: { ...plan, taskList: 'none' } }, exampleChange()),
    )
    const own = given(await showDiff(needs, { of: 'job', id: job.id }))
    expect(filesOf(own)).toContain('TASKLIST.md')
  })
})

describe('the diff of an approval', () => {
  it('shows what would land, and does not exist for a tool', async () => {
    await using stage = await openStage()
    const { job } = stage
    const head = await commit(stage, job.baseCommit, 'mine.txt')
    const candidateId = ids.next('candidate')
    const [landing, tool] = [ids.next('approval'), ids.next('approval')]
    const session = {
      type: 'session',
      sessionId: ids.next('session'),
      processNumber: 1,
      requestId: 'one',
    } as const
    await needs.store.transact(async (records) => {
      await records.candidates.insert(
        {
          id: candidateId,
          jobId: job.id,
          branch: job.workingBranch,
          purpose: { type: 'landings', landingIds: [] },
          onto: job.baseCommit,
          commit: head,
          tree: head,
          state: { type: 'passed' },
          checks: [],
          version: 1,
          createdAt: new Date(),
        },
        exampleChange(),
      )
      for (const [id, asker] of [
        [landing, { type: 'candidate', candidateId }],
        [tool, session],
      ] as const) {
        await records.approvals.insert(
          {
            id,
            jobId: job.id,
            asker,
            digest: id,
            action: exampleLandingAction(),
            state: { type: 'pending' },
            version: 1,
            createdAt: new Date(),
            expiresAt: new Date(),
          },
          exampleChange(),
        )
      }
    })
    expect(given(await showDiff(needs, { of: 'approval', id: landing }))).toMatchObject({
      from: job.baseCommit,
      to: head,
    })
    expect(await showDiff(needs, { of: 'approval', id: tool })).toMatchObject({
      ok: false,
      failure: { type: 'no-work' },
    })
    expect(await showDiff(needs, { of: 'approval', id: ids.next('approval') })).toMatchObject({
      failure: { type: 'not-found' },
    })
  })
})

describe('a report', () => {
  async function moveBase({ repository }: Stage, file: string): Promise<void> {
    await repository.git('checkout', '-q', 'main')
    await repository.write({ [file]: 'theirs\n' })
    await repository.commit('theirs')
    await repository.git('checkout', '-q', 'elsewhere')
  }

  it('is not ready while the base branch conflicts with the work, even before a merge is tried', async () => {
    await using stage = await openStage()
    const { job } = stage
    const tip = await commit(stage, job.baseCommit, 'mine.txt')
    await land(stage, tip, job.baseCommit, tip)
    const read = async () => given(await listReports(needs, { job: job.id, limit: 1 }))[0]
    const conflict = `main has moved and conflicts with ${job.workingBranch} in mine.txt`
    expect(await read()).toMatchObject({
      notes: [],
      notReady: expect.arrayContaining(['no checks are configured']),
      tasks: [{ landings: [{ verified: true, commit: tip }] }],
    })
    await moveBase(stage, 'theirs.txt')
    const apart = await read()
    expect(apart?.notes).toEqual([expect.stringContaining('a merge commit is needed')])
    expect(apart?.notReady).not.toContain(conflict)
    await moveBase(stage, 'mine.txt')
    const conflicted = await read()
    expect(conflicted?.notReady).toContain(conflict)
    expect(conflicted).toMatchObject({ finalizeReady: false, notes: [] })
  })

  it('says that the work of an ended job is merged, even if its own branch was never delivered', async () => {
    await using stage = await openStage({ type: 'completed', reason: 'goal-reached', evidence: [] })
    const { job } = stage
    const read = async () => given(await listReports(needs, { job: job.id, limit: 1 }))[0]
    expect(await read()).not.toHaveProperty('merged')
    const tip = await commit(stage, job.baseCommit, 'mine.txt')
    await land(stage, tip, job.baseCommit, tip)
    expect(await read()).not.toHaveProperty('merged')
    expect(given(await mergeJob(needs, job.id, { withTaskList: true })).state.type).toBe('merged')
    const merged = await read()
    expect(merged).toMatchObject({ merged: { commit: tip } })
    expect(merged?.notReady.join('\n')).not.toContain('delivered')
    await moveBase(stage, 'theirs.txt')
    expect(await read()).toMatchObject({ merged: { commit: tip } })
  })
})
