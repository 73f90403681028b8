import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleChange,
  exampleCycle,
  exampleJob,
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
import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import { SecretSet } from '../../domain/redaction/redact.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Assignment } from '../assignment.ts'
import { insertAttempt, newAttempt } from '../attempts/new-attempt.ts'
import { settleAttempt } from '../attempts/settle-attempt.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { AgentProviderRegistry } from '../providers/agent-provider-registry.ts'
import { treeOf } from '../trees/tree-of.ts'
import { createAssignments } from './assignments.ts'

type Needs = Parameters<typeof createAssignments>[0]

const rooms = new AsyncDisposableStack()
let database: Kysely<Database>
let needs: Needs
let project: Pick<Job, 'projectId' | 'baseCommit'>

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  rooms.defer(() => database.destroy())
  const home = rooms.use(await temporaryDirectory())
  const settings: Partial<EngineNeeds['settings']> = {
    maxSessions: 100,
    freeMemoryMb: () => 1_000_000,
    stalledJobs: new Set(),
    redaction: new SecretSet(),
    treesDirectory: join(home.path, 'trees'),
    makeBoundary: () => 'boundary-0001',
    usualWork: { files: 500, bytes: 2 ** 20 },
  }
  needs = {
    store: createPostgresStore({ database, sendWork: async () => () => undefined }),
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
    settings: settings as EngineNeeds['settings'],
  }
  await using repository = await testRepository({ 'a.txt': 'one\n' })
  const projectId = ids.next('project')
  const source = await needs.branches.inspectSource(repository.path)
  const base = source.ok ? await needs.branches.importBase(projectId, source.value, undefined) : source
  if (!base.ok) throw new Error(JSON.stringify(base.failure))
  project = { projectId, baseCommit: base.value.commit }
})

afterAll(() => rooms.disposeAsync())

async function assignmentOf(attempt: Attempt): Promise<Assignment> {
  const found = await createAssignments(needs).find(attempt)
  if (found === undefined) throw new Error(`${attempt.purpose.type} has no assignment`)
  return found
}

/** An attempt at a task, or a review of it, whose program has exited normally. */
async function ended(
  type: 'task' | 'review',
): Promise<{ readonly job: Job; readonly task: Task; readonly attempt: Attempt }> {
  const { plan } = exampleJob()
  const job = await storeExampleJob(needs.store, {
    ...project,
    plan,
    state: { type: 'running', pausing: false },
  })
  const cycle = exampleCycle(job)
  const task = exampleTask(cycle, { description: 'plant a tree', successCriteria: ['b.txt is there'] })
  const made = await needs.store.transact(async (records) => {
    await records.cycles.insert(cycle, exampleChange())
    await records.tasks.insertAll([task], exampleChange())
    const attempt = newAttempt(needs, {
      job,
      purpose: { type, taskId: task.id },
      role: ROLE_FOR[type],
      number: 1,
      agent: { name: 'one', provider: 'command', roles: [], env: [] },
      head: job.baseCommit,
    })
    await insertAttempt(needs, records, { attempt, admission: { type: 'admitted' } })
    const attemptId = attempt.id
    await records.tasks.save({ ...task, state: { type: 'running', attemptId } }, exampleChange())
    const state = { type: 'ended', end: { type: 'exited', code: 0 }, ending: 'done' } as const
    return await records.attempts.save({ ...attempt, state, endedAt: new Date() }, exampleChange())
  })
  return { job, task, attempt: made }
}

const stateOf = async ({ id }: Task) => (await needs.store.read.tasks.find(id))?.state
const outcomeOf = async ({ id }: Attempt) => {
  const state = (await needs.store.read.attempts.find(id))?.state
  return state?.type === 'settled' ? state.outcome : undefined
}

describe('the assignments of a job', () => {
  it('only lets the worker write, and tells a plain model how to answer in the roles that it can take', async () => {
    const { attempt } = await ended('task')
    const { taskId } = attempt.purpose as Extract<Attempt['purpose'], { readonly type: 'task' }>
    const purposes = [
      { type: 'discovery', cycleId: ids.next('cycle') },
      { type: 'task', taskId },
    ] as const
    const found = await Promise.all(purposes.map((purpose) => assignmentOf({ ...attempt, purpose })))
    expect(found.map(({ mode }) => mode)).toEqual(['read', 'write'])
    const answering = purposes.filter((_, index) => found[index]?.answer !== undefined)
    expect(answering.map(({ type }) => ROLE_FOR[type])).toEqual(['planner'])
  })

  it('asks the worker to do its task, and queues the work in its tree for landing once', async () => {
    const { job, task, attempt } = await ended('task')
    const worker = await assignmentOf(attempt)
    const prompt = await worker.prompt(job, attempt)
    expect(prompt).toContain('plant a tree')
    expect(prompt).toContain('b.txt is there')
    const directory = treeOf(needs, attempt.id)
    const opened = await needs.trees.open({
      project: job.projectId,
      directory,
      commit: job.baseCommit,
      branch: task.branch,
    })
    expect(opened.ok).toBe(true)
    await writeFile(join(directory, 'b.txt'), 'two\n')
    await worker.settle(job, attempt)
    await worker.settle(job, attempt)
    expect(await outcomeOf(attempt)).toEqual({ type: 'accepted' })
    expect(await stateOf(task)).toMatchObject({ type: 'landing' })
    expect(await needs.store.read.landings.listOpen(job.id)).toHaveLength(1)
  })

  it('retries the task when the worker changed nothing', async () => {
    const { job, task, attempt } = await ended('task')
    await needs.trees.open({
      project: job.projectId,
      directory: treeOf(needs, attempt.id),
      commit: job.baseCommit,
      branch: task.branch,
    })
    await (await assignmentOf(attempt)).settle(job, attempt)
    expect(await outcomeOf(attempt)).toMatchObject({ type: 'rejected' })
    expect(await stateOf(task)).toEqual({ type: 'pending' })
  })

  it('settles nothing while a program that handed over may still write in the tree', async () => {
    const { job, task, attempt } = await ended('task')
    const before = exampleSession(job, { purpose: { type: 'attempt', attemptId: attempt.id } })
    const note = {
      from: before.id,
      fromAgent: 'one',
      to: 'one',
      summary: '',
      nextSteps: '',
      reason: '',
      at: '',
    }
    await needs.store.transact(async (records) => {
      await records.sessions.insert(before, exampleChange())
      await records.attempts.save({ ...attempt, handoffs: [note] }, exampleChange())
    })
    await needs.trees.open({
      project: job.projectId,
      directory: treeOf(needs, attempt.id),
      commit: job.baseCommit,
      branch: task.branch,
    })
    const settling = { ...needs, assignments: createAssignments(needs) }
    expect(await settleAttempt(settling, attempt.id)).toBeUndefined()
    expect(await outcomeOf(attempt)).toBeUndefined()
    const state = { type: 'terminated', end: { type: 'exited', code: 0 } } as const
    await needs.store.transact((records) => records.sessions.save({ ...before, state }, exampleChange()))
    expect(await settleAttempt(settling, attempt.id)).toBe(job.id)
    expect(await outcomeOf(attempt)).toMatchObject({ type: 'rejected' })
    expect(await settleAttempt(settling, attempt.id)).toBe(job.id)
  })
})
