import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleChange,
  exampleCycle,
  exampleSession,
  exampleTask,
  ids,
  storeExampleJob,
} from '../../../test/support/example-records.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import { testRepository } from '../../../test/support/test-repository.ts'
import { createCommandProvider } from '../../adapters/agents/command/command-provider.ts'
import { createHub } from '../../adapters/git/hub/create-hub.ts'
import { createLocalHost } from '../../adapters/hosts/local/create-local-host.ts'
import { createFolderPlaybooks } from '../../adapters/playbooks/folder/folder-playbooks.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { AttemptId, JobId, TaskId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import { SecretSet } from '../../domain/redaction/redact.ts'
import { NO_CONVERSATION } from '../../domain/session/conversation-state.ts'
import type { Task, TaskDraft } from '../../domain/task/task.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { EngineNeeds, EngineSettings } from '../engine-needs.ts'
import { newTasks } from '../jobs/new-tasks.ts'
import { AgentProviderRegistry } from '../providers/agent-provider-registry.ts'
import { createPlanner } from './planner.ts'

type Needs = Pick<
  EngineNeeds,
  | 'store'
  | 'trees'
  | 'branches'
  | 'history'
  | 'commits'
  | 'playbooks'
  | 'host'
  | 'providers'
  | 'clock'
  | 'ids'
  | 'crash'
  | 'settings'
  | 'wakeAt'
>

const DRAFT: TaskDraft = {
  ...{ description: 'do it', context: '', files: [], parallel: true, priority: 'P1' as const },
  ...{ successCriteria: [], dependsOn: [], clauses: [] },
}

const GOAL = '- `a.txt` is there\n- `b.txt` is there\n'
const rooms = new AsyncDisposableStack()
const sent: Work[] = []
let database: Kysely<Database>
let needs: Needs
let base: Pick<Job, 'projectId' | 'baseCommit'>

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  rooms.defer(() => database.destroy())
  const home = rooms.use(await temporaryDirectory())
  const store = createPostgresStore({
    database,
    sendWork: async (_, work) => {
      sent.push(...work)
      return () => undefined
    },
  })
  const settings: Partial<EngineSettings> = {
    maxSessions: 100,
    freeMemoryMb: () => 10_000,
    stalledJobs: new Set(),
    redaction: new SecretSet(),
    makeBoundary: () => 'boundary-0001',
    shuffle: (items) => items,
  }
  needs = {
    store,
    ...rooms.use(
      createHub({ hubsDirectory: join(home.path, 'hubs'), gitConfigFile: join(home.path, 'gitconfig') }),
    ),
    host: await createLocalHost({ hostsDirectory: join(home.path, 'hosts') }),
    providers: new AgentProviderRegistry([createCommandProvider()], 'command'),
    playbooks: createFolderPlaybooks({ shipped: 'playbooks' }),
    clock: { now: () => new Date() },
    ids,
    crash: { reach: () => undefined },
    wakeAt: () => undefined,
    settings: settings as EngineSettings,
  }
  base = await importProject()
})

afterAll(() => rooms.disposeAsync())

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('it is not there')
  return value
}

/** A running job on the shared repository, with its own branch. */
async function openJob(): Promise<Job> {
  const job = await storeExampleJob(needs.store, {
    ...base,
    requestDocument: GOAL,
    state: { type: 'running', pausing: false },
    currentCycle: 1,
  })
  await needs.branches.move(job.projectId, job.workingBranch, job.baseCommit, undefined)
  return job
}

async function importProject(): Promise<Pick<Job, 'projectId' | 'baseCommit'>> {
  await using repository = await testRepository({ 'a.txt': 'one\n' })
  const projectId = ids.next('project')
  const source = await needs.branches.inspectSource(repository.path)
  if (!source.ok) throw new Error(source.failure.type)
  const imported = await needs.branches.importBase(projectId, source.value, undefined)
  if (!imported.ok) throw new Error(imported.failure.type)
  return { projectId, baseCommit: imported.value.commit }
}

const jobNow = async (id: JobId) => found(await needs.store.read.jobs.find(id))
const tasksOf = (id: JobId) => needs.store.read.tasks.listOfJob(id)

/** A cycle whose planner has given this answer and ended. */
async function plannedCycle(
  job: Job,
  number: number,
  words: string | object,
  tryNumber = 1,
): Promise<Attempt> {
  const cycle = exampleCycle(job, { number, phase: 'discovery' })
  const text = typeof words === 'string' ? words : JSON.stringify({ type: 'result', ...words })
  const attempt = exampleAttempt(job, {
    purpose: { type: 'discovery', cycleId: cycle.id },
    number: tryNumber,
    state: { type: 'ended', end: { type: 'exited', code: 0 }, ending: 'done' },
  })
  const session = exampleSession(job, {
    id: attempt.sessionId,
    role: 'planner',
    state: { type: 'terminated', end: { type: 'exited', code: 0 } },
    conversation: { ...NO_CONVERSATION, turn: { type: 'done', text } },
  })
  await needs.store.transact(async (records) => {
    await records.cycles.insert(cycle, exampleChange())
    await records.attempts.insert(attempt, exampleChange())
    await records.sessions.insert(session, exampleChange())
  })
  return attempt
}

/** Plays a planner that gives this answer in a new cycle, and settles it. */
async function answer(job: Job, number: number, words: string | object): Promise<Cycle> {
  const attempt = await plannedCycle(job, number, words)
  sent.length = 0
  await createPlanner(needs).settle(await jobNow(job.id), attempt)
  return found(await needs.store.read.cycles.findNumber(job.id, number))
}

/** Stores a finished cycle with these tasks. Each blocked one has a landing with this tip. */
async function storePast(job: Job, number: number, tasks: readonly Partial<Task>[], tip: string) {
  const cycle = exampleCycle(job, { number, phase: 'done', tasksDiscovered: tasks.length })
  const made = tasks.map((fields, index) => exampleTask(cycle, { number: index + 1, ...fields }))
  await needs.store.transact(async (records) => {
    await records.cycles.insert(cycle, exampleChange())
    await records.tasks.insertAll(made, exampleChange())
    for (const task of made) {
      if (task.state.type !== 'blocked') continue
      const attempt = exampleAttempt(job, { purpose: { type: 'task', taskId: task.id }, tip })
      await records.attempts.insert(attempt, exampleChange())
      await records.landings.insert(conflictedLanding(job, task.id, attempt.id, tip), exampleChange())
    }
  })
  return made
}

function conflictedLanding(job: Job, taskId: TaskId, attemptId: AttemptId, tip: string): Landing {
  return {
    id: ids.next('landing'),
    jobId: job.id,
    taskId,
    attemptId,
    branch: job.workingBranch,
    tip,
    state: { type: 'conflicted', paths: ['a.txt'] },
    checks: [],
    batchLimit: 1,
    version: 1,
    createdAt: new Date(),
  }
}

async function eventsOf(jobId: JobId, type: string): Promise<readonly Record<string, unknown>[]> {
  const rows = await database
    .selectFrom('events')
    .selectAll()
    .where('streamId', '=', jobId)
    .orderBy('seq')
    .execute()
  return rows.filter((row) => row.type === type).map((row) => row.data as Record<string, unknown>)
}

const CONFLICT = { type: 'blocked', reason: 'conflicts', paths: ['a.txt'], suggestion: 'wait' } as const

/** A job in which task t1-1 has landed in a.txt, and the work of t1-2 conflicts with it. */
async function openConflictedJob() {
  const job = await openJob()
  const change = async (text: string, message: string) => {
    const made = await needs.commits.commitFiles(job.projectId, job.baseCommit, { 'a.txt': text }, message)
    return made.ok ? made.value : ''
  }
  const [landed, tip] = [await change('ours\n', 'ours'), await change('theirs\n', 'theirs')]
  await needs.branches.move(job.projectId, job.workingBranch, landed, job.baseCommit)
  const [, conflicted] = await storePast(
    job,
    1,
    [
      { description: 'Write ours', state: { type: 'completed', commit: landed }, filesModified: ['a.txt'] },
      {
        description: 'Write theirs',
        state: CONFLICT,
        resultSummary: 'I wrote theirs',
        successCriteria: ['a.txt says theirs'],
        clauses: [1],
        agent: 'one',
      },
    ],
    tip,
  )
  return { job, head: landed, tip, conflicted: found(conflicted) }
}

describe("a planner's tasks", () => {
  it('are stored without repeats and in a workable order, and changes are reported', async () => {
    const job = await openJob()
    await storePast(
      job,
      1,
      [{ description: 'Write the readme', state: { type: 'completed', commit: 'c' } }],
      '',
    )
    const cycle = await answer(job, 2, {
      tasks: [
        { description: 'write the README.' },
        { description: 'Write a', files: ['a.txt'], clauses: [1, 9], successCriteria: ['it is there'] },
        { description: 'Polish a', files: ['./a.txt'], dependsOn: [1] },
      ],
      reasoning: 'because',
      learnings: ['it is quiet here'],
    })
    expect(cycle).toMatchObject({ phase: 'execution', tasksDiscovered: 2, learnings: 'it is quiet here' })
    const tasks = (await tasksOf(job.id)).filter(({ cycleNumber }) => cycleNumber === 2)
    expect(tasks).toMatchObject([
      { number: 1, clauses: [1], dependsOn: [], origin: { type: 'planned' }, state: { type: 'running' } },
      { number: 2, dependsOn: [], after: [1], state: { type: 'pending' } },
    ])
    expect(await eventsOf(job.id, 'cycle_tasks_discovered')).toMatchObject([
      {
        tasks: [
          { number: 1, files: ['a.txt'], clauses: [1], successCriteria: ['it is there'] },
          { number: 2, after: [1] },
        ],
        repeats: [{ number: 1, description: 'write the README.', of: 'task t1-1' }],
        coupled: [[1, 2]],
        yields: [{ cycle: 1, discovered: 1, landed: 0 }],
        reasoning: 'because',
      },
    ])
  })

  it('are requested once more if all are repeats, and then end the job without progress', async () => {
    const job = await openJob()
    await storePast(job, 1, [{ description: 'Write a', state: { type: 'completed', commit: 'c' } }], '')
    const words = { tasks: [{ description: 'write a' }] }
    const first = await plannedCycle(job, 2, words)
    await createPlanner(needs).settle(await jobNow(job.id), first)
    expect(await needs.store.read.attempts.find(first.id)).toMatchObject({
      state: { outcome: { type: 'rejected', reason: expect.stringContaining('1 is task t1-1') } },
    })
    const second = await plannedCycle(job, 3, words, 2)
    await createPlanner(needs).settle(await jobNow(job.id), second)
    expect(await jobNow(job.id)).toMatchObject({ state: { type: 'completed', reason: 'no-progress' } })
    expect(await eventsOf(job.id, 'cycle_tasks_discovered')).toMatchObject([
      { tasks: [], repeats: [{ of: 'task t1-1' }] },
    ])
  })
})

describe('a task that names a playbook', () => {
  const words = (playbook: string, inputs = {}) => ({
    tasks: [{ description: 'write it', playbook, inputs, successCriteria: ['it is there'] }],
  })

  it('is worked on by a run of it, from the pinned playbook', async () => {
    const job = await openJob()
    await answer(job, 1, words('best-of', { n: 2 }))
    const [task] = await tasksOf(job.id)
    expect(task).toMatchObject({
      state: { type: 'running', runId: expect.any(String) },
      playbook: { name: 'best-of', inputs: { n: 2 } },
    })
    const [run] = await needs.store.read.runs.listOpen(job.id)
    expect(run).toMatchObject({ playbook: { name: 'best-of', hash: task?.playbook?.hash } })
    expect(run?.goal).toContain('1. it is there')
    expect(run?.goal).toContain(GOAL.trim())
    expect(await needs.store.read.visits.listOfRun(found(run).id)).toHaveLength(2)
    expect(await needs.store.read.pinnedPlaybooks.find(found(task?.playbook).hash)).toBeDefined()
  })

  it('is asked for again if there is no such playbook, and then worked on without it', async () => {
    const job = await openJob()
    const first = await plannedCycle(job, 1, words('bestof'))
    await createPlanner(needs).settle(await jobNow(job.id), first)
    expect(await needs.store.read.attempts.find(first.id)).toMatchObject({
      state: {
        outcome: {
          type: 'rejected',
          reason: 'task 1 names the playbook "bestof", which does not exist; did you mean "best-of"?',
        },
      },
    })
    const second = await plannedCycle(job, 2, words('bestof'), 2)
    await createPlanner(needs).settle(await jobNow(job.id), second)
    const [task] = await tasksOf(job.id)
    expect(task).toMatchObject({ state: { type: 'running', attemptId: expect.any(String) } })
    expect(task?.playbook).toBeUndefined()
    expect(await eventsOf(job.id, 'cycle_tasks_discovered')).toMatchObject([
      { notes: [expect.stringContaining('it is worked on without it')] },
    ])
  })

  it('may not skip the review of a job that reviews everything', async () => {
    const opened = await openJob()
    const plan = { ...opened.plan, reviewer: opened.plan.worker }
    const job = await needs.store.transact((records) =>
      records.jobs.save({ ...opened, plan }, exampleChange()),
    )
    const attempt = await plannedCycle(job, 1, words('best-of'))
    const prompt = await createPlanner(needs).prompt(job, attempt)
    expect(prompt).toContain('- tdd: ')
    expect(prompt).not.toContain('- best-of: ')
    await createPlanner(needs).settle(job, attempt)
    expect(await needs.store.read.attempts.find(attempt.id)).toMatchObject({
      state: {
        outcome: { type: 'rejected', reason: expect.stringContaining('lands work without a review') },
      },
    })
  })

  it('is offered the playbooks in the prompt, with when to use which', async () => {
    const job = await openJob()
    const prompt = await createPlanner(needs).prompt(job, await plannedCycle(job, 1, { tasks: [] }))
    expect(prompt).toContain('- best-of: Several independent tries')
    expect(prompt).toContain('  For when the task is hard, and single tries are likely to fail.')
    expect(prompt).toContain('  Inputs: n (number, by default 3)')
  })

  it("follows the job's playbook if it names none; Muster's own tasks don't", async () => {
    const opened = await openJob()
    const taskPlaybook = { name: 'tdd', hash: 'a'.repeat(64), inputs: {} }
    const plan = { ...opened.plan, taskPlaybook }
    const own = { origin: { type: 'base', isSetup: false }, ...DRAFT } as const
    const tasks = newTasks(needs, { ...opened, plan }, exampleCycle(opened), [
      { origin: { type: 'planned' }, ...DRAFT },
      own,
    ])
    expect(tasks.map(({ playbook }) => playbook?.name)).toEqual(['tdd', undefined])
  })
})

describe('a planner that answers done', () => {
  it('ends the job if every clause has evidence', async () => {
    const job = await openJob()
    await answer(job, 1, {
      done: true,
      evidence: [
        { clause: 2, evidence: 'see b' },
        { clause: 1, evidence: 'see a' },
      ],
    })
    expect(await jobNow(job.id)).toMatchObject({
      state: {
        type: 'completed',
        reason: 'goal-reached',
        evidence: ['`a.txt` is there — see a', '`b.txt` is there — see b'],
      },
    })
  })

  it('is asked again, with the clause, if a clause has no evidence', async () => {
    const job = await openJob()
    const attempt = await plannedCycle(job, 1, { done: true, evidence: [{ clause: 1, evidence: 'see a' }] })
    await createPlanner(needs).settle(job, attempt)
    const problem = '`done` is true, but evidence is missing for clause 2: `b.txt` is there'
    expect(await needs.store.read.attempts.find(attempt.id)).toMatchObject({
      state: { type: 'settled', outcome: { type: 'rejected', reason: problem } },
    })
    expect((await jobNow(job.id)).state).toEqual({ type: 'running', pausing: false })
    expect(sent).toContainEqual({ type: 'job-advance', jobId: job.id })
    const again = { ...attempt, id: ids.next('attempt'), number: 2 }
    expect(await createPlanner(needs).prompt(job, again)).toContain(problem)
  })

  it('is asked again if none of its tasks landed, and then ends the job without believing it', async () => {
    const job = await openJob()
    const failed = { type: 'failed', reason: 'the check failed' } as const
    await storePast(job, 1, [{ description: 'Write a', state: failed }], job.baseCommit)
    const words = {
      done: true,
      evidence: [
        { clause: 1, evidence: 'see a' },
        { clause: 2, evidence: 'see b' },
      ],
    }
    const first = await plannedCycle(job, 2, words)
    await createPlanner(needs).settle(await jobNow(job.id), first)
    expect(await needs.store.read.attempts.find(first.id)).toMatchObject({
      state: { outcome: { type: 'rejected', reason: expect.stringContaining('nothing has landed') } },
    })
    const second = await plannedCycle(job, 3, words, 2)
    await createPlanner(needs).settle(await jobNow(job.id), second)
    expect(await jobNow(job.id)).toMatchObject({ state: { type: 'completed', reason: 'goal-doubted' } })
    expect(await eventsOf(job.id, 'job_completed')).toMatchObject([{ unlanded: 1 }])
  })

  it('does not end the job if a person has edited the goal meanwhile', async () => {
    const job = await openJob()
    await needs.store.transact((records) =>
      records.documents.insert(
        { jobId: job.id, kind: 'goal', number: 1, text: '- more', author: 'person', createdAt: new Date() },
        exampleChange(),
      ),
    )
    expect(await answer(job, 1, { done: true, evidence: ['a', 'b'] })).toMatchObject({ phase: 'done' })
    expect((await jobNow(job.id)).state.type).toBe('running')
    expect(sent).toContainEqual({ type: 'job-advance', jobId: job.id })
  })
})

describe('an answer that cannot be read', () => {
  it.each([
    ['is no JSON', 'All is well.', 'the answer contains no JSON object; it ends with: "All is well."'],
    ['breaks off', '{"tasks":[{"description":"a"}', 'the JSON in the answer is invalid: '],
    ['is a list', '[{"description":"a"}]', 'the answer must be one JSON object, but it is a list'],
    [
      'is of a wrong type',
      '{"tasks":{"description":"a"}}',
      '`tasks` must be a list of tasks, but it is an object',
    ],
  ])('because it %s is described by just that', async (_, words, problem) => {
    const job = await openJob()
    expect(await answer(job, 1, words)).toMatchObject({ phase: 'discovery' })
    const [reported] = await eventsOf(job.id, 'cycle_phase')
    expect(reported?.['problem']).toContain(problem)
    expect(reported?.['problem']).not.toContain('\n')
  })
})

describe('work that conflicts with landed work', () => {
  it("is merged by its own task, which contains both sides and runs before the planner's tasks", async () => {
    const { job, tip, conflicted } = await openConflictedJob()
    await answer(job, 2, {
      tasks: [
        { description: 'Touch a again', files: ['a.txt'] },
        { description: 'Write theirs' },
        { description: 'Write c', dependsOn: [1] },
      ],
    })
    const tasks = (await tasksOf(job.id)).filter(({ cycleNumber }) => cycleNumber === 2)
    expect(tasks).toMatchObject([
      {
        number: 1,
        priority: 'P0',
        description: 'Merge the work of task t1-2 (Write theirs) with work that landed in the meantime',
        origin: { type: 'conflict', taskId: conflicted.id, tip, paths: ['a.txt'] },
        files: ['a.txt'],
        successCriteria: ['a.txt says theirs'],
        clauses: [1],
        agent: 'one',
      },
      { number: 2, description: 'Touch a again', dependsOn: [], after: [1] },
      { number: 3, description: 'Write c', dependsOn: [2] },
    ])
    const context = tasks[0]?.context ?? ''
    for (const part of [
      tip,
      'I wrote theirs',
      'task t1-1 (Write ours)',
      '<<<<<<<',
      '\nours\n',
      '\ntheirs\n',
    ]) {
      expect(context).toContain(part)
    }
    expect(await eventsOf(job.id, 'cycle_tasks_discovered')).toMatchObject([
      {
        repeats: [{ number: 2, of: 'task t1-2' }],
        coupled: [[1, 2]],
        tasks: [{ merges: conflicted.id }, {}, {}],
      },
    ])
  })

  it.each([
    ['done', { done: true, evidence: ['a', 'b'] }],
    ['nothing new', { tasks: [] }],
  ])('keeps the job running when the planner answers %s, and gets only one task', async (_, words) => {
    const { job } = await openConflictedJob()
    expect(await answer(job, 2, words)).toMatchObject({ phase: 'execution', tasksDiscovered: 1 })
    expect((await jobNow(job.id)).state.type).toBe('running')
    await answer(job, 3, words)
    expect((await tasksOf(job.id)).filter(({ cycleNumber }) => cycleNumber === 3)).toEqual([])
  })

  it('can be merged in the tree of the agent that does the task', async () => {
    const { job, head, tip } = await openConflictedJob()
    await using place = await temporaryDirectory()
    const directory = join(place.path, 'tree')
    const opened = await needs.trees.open({
      project: job.projectId,
      directory,
      commit: head,
      branch: 'work',
    })
    expect(opened.ok).toBe(true)
    await using outside = await testRepository()
    const merged = await outside
      .git('-C', directory, 'merge', tip)
      .catch((error: { stdout: string }) => error.stdout)
    expect(merged).toContain('CONFLICT (content): Merge conflict in a.txt')
  })

  it('is shown to the planner, and no longer as a setback once a task merges it', async () => {
    const { job } = await openConflictedJob()
    const attempt = await plannedCycle(job, 2, { tasks: [] })
    const before = await createPlanner(needs).prompt({ ...job, requestedTasks: '- a cache' }, attempt)
    for (const part of [
      'merge t1-2 Write theirs',
      'because: conflicts',
      'what may help: wait',
      '- a cache',
    ]) {
      expect(before).toContain(part)
    }
    await createPlanner(needs).settle(job, attempt)
    expect(await createPlanner(needs).prompt(job, attempt)).not.toContain('because: conflicts')
  })

  it('is left to a person after three failed merges, with the commit to merge', async () => {
    const { job, tip, conflicted } = await openConflictedJob()
    let last = conflicted
    for (const cycle of [2, 3, 4]) {
      const origin = { type: 'conflict', taskId: last.id, tip, paths: ['a.txt'] } as const
      last = found((await storePast(job, cycle, [{ state: CONFLICT, origin }], tip))[0])
    }
    await answer(job, 5, { done: true, evidence: ['a', 'b'] })
    expect((await jobNow(job.id)).state).toMatchObject({ type: 'completed', reason: 'goal-reached' })
    const { state } = found(await needs.store.read.tasks.find(last.id))
    expect(state).toMatchObject({ type: 'blocked', paths: ['a.txt'] })
    expect(state).toHaveProperty(
      'suggestion',
      expect.stringContaining(`merge commit ${tip} into ${job.workingBranch}`),
    )
  })
})
