import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleChange,
  exampleCycle,
  exampleJob,
  exampleTask,
  ids,
  storeExampleJob,
} from '../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { JobId, TaskId } from '../../domain/id.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Store } from '../../ports/store/store.ts'
import { insertAttempt, newAttempt } from '../attempts/new-attempt.ts'
import { settleWork } from '../roles/worker.ts'
import { settleReview } from './settle-review.ts'

const SIZE = {
  files: 1,
  added: 1,
  removed: 0,
  bytes: 10,
  deletedFiles: 0,
  baseFiles: 0,
  createdPaths: ['a.txt'],
  baseGenerated: [],
  changedPaths: ['a.txt'],
  hasEscapes: false,
}
const WELL: SessionEnd = { type: 'exited', code: 0 }
const APPROVED = {
  verdict: 'APPROVED',
  criteria: [{ criterion: 1, met: true, evidence: 'seen in a.txt' }],
}
const REVISE = {
  verdict: 'NEEDS_REVISION',
  issues: [{ severity: 'major', location: 'a.txt', issue: 'too short', suggestion: 'write more' }],
}
const needs = {
  clock: { now: () => new Date() },
  ids,
  crash: { reach: () => undefined },
  settings: {
    maxSessions: 1_000,
    freeMemoryMb: () => 1_000_000,
    stalledJobs: new Set<never>(),
    usualWork: { files: 500, bytes: 1_000_000 },
  },
}

let database: Kysely<Database>
let store: Store

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  store = createPostgresStore({ database, sendWork: async () => () => undefined })
})

afterAll(async () => {
  await database.destroy()
})

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('it is not there')
  return value
}

async function storedTask(options: { readonly isReviewed?: boolean } = {}): Promise<Task> {
  const { plan } = exampleJob()
  const { isReviewed = true } = options
  const agents = [...plan.agents, { name: 'critic', provider: 'command', roles: ['reviewer'], env: [] }]
  const job = await storeExampleJob(store, {
    state: { type: 'running', pausing: false },
    plan: { ...plan, agents, ...(isReviewed ? { reviewer: 'critic' } : {}) },
  })
  const cycle = exampleCycle(job)
  const task = exampleTask(cycle, { successCriteria: ['a.txt is there'] })
  await store.transact(async (records) => {
    await records.cycles.insert(cycle, exampleChange())
    await records.tasks.insertAll([task], exampleChange())
  })
  return task
}

const taskNow = async (id: TaskId) => found(await store.read.tasks.find(id))

/** Ends the program of an attempt. */
async function endAttempt(attempt: Attempt, end: SessionEnd): Promise<Attempt> {
  const current = found(await store.read.attempts.find(attempt.id))
  const ending = end.type === 'exited' && end.code === 0 ? 'done' : 'failed'
  const state = { type: 'ended', end, ending } as const
  return await store.transact((records) => records.attempts.save({ ...current, state }, exampleChange()))
}

/** Plays an agent that works on a task from its starting commit, and settles its work. */
async function work(
  id: TaskId,
  tip: string,
  answer?: object,
  end: SessionEnd = WELL,
  omissions: readonly string[] = [],
): Promise<void> {
  const task = await taskNow(id)
  const made = await store.withJob(task.jobId, async (records, job) => {
    const tries = (await records.attempts.listOfTask(id)).filter(({ purpose }) => purpose.type === 'task')
    const attempt = newAttempt(needs, {
      job,
      purpose: { type: 'task', taskId: id },
      role: 'worker',
      number: tries.length + 1,
      agent: found(job.plan.agents[0]),
      head: task.startFrom ?? job.baseCommit,
    })
    await insertAttempt(needs, records, { attempt, admission: { type: 'admitted' } })
    await records.tasks.save({ ...task, state: { type: 'running', attemptId: attempt.id } }, exampleChange())
    return attempt
  })
  const attempt = await endAttempt(found(made), end)
  const left = { files: ['a.txt'], commits: [tip] }
  await store.withJob(task.jobId, (records, job) =>
    settleWork(needs, records, {
      job,
      attempt: { ...attempt, tip },
      collected: { type: 'usable', ...left, tip, committedForAgent: false, omissions },
      whole: { ...left, hasChanged: true, size: SIZE },
      answer,
    }),
  )
}

async function openReview(id: TaskId): Promise<Attempt> {
  const { state } = await taskNow(id)
  if (state.type !== 'review') throw new Error(`the task is ${state.type}`)
  return found(await store.read.attempts.find(state.attemptId))
}

/** Plays the reviewer of a task, and settles its answer. */
async function review(id: TaskId, answer?: object, end: SessionEnd = WELL): Promise<Attempt> {
  const attempt = await endAttempt(await openReview(id), end)
  await store.withJob(attempt.jobId, (records, job) => settleReview(needs, records, { job, attempt, answer }))
  return found(await store.read.attempts.find(attempt.id))
}

const landingsOf = (jobId: JobId) => store.read.landings.listOfJob(jobId)

describe('finished work', () => {
  it('stores what could not be collected with its task', async () => {
    const { id } = await storedTask()
    await work(id, 'tip-1', {}, WELL, ['a path that is too long'])
    expect((await taskNow(id)).changes).toMatchObject({ omissions: ['a path that is too long'] })
  })

  it("goes to a reviewer with its agent's claims, and stores what its agent learnt", async () => {
    const { id, jobId, cycleId } = await storedTask()
    await work(id, 'tip-1', {
      summary: 'I wrote it',
      criteria: [{ criterion: 1, evidence: 'a.txt' }],
      learnings: ['it is dark in there'],
    })
    const task = await taskNow(id)
    expect(task).toMatchObject({
      state: { type: 'review' },
      resultSummary: 'I wrote it',
      criteria: [{ number: 1, isMet: true, evidence: 'a.txt', by: 'worker' }],
      filesModified: ['a.txt'],
      rounds: 0,
    })
    const attempt = await openReview(id)
    expect(attempt).toMatchObject({ role: 'reviewer', number: 1, baseCommit: 'tip-1' })
    expect(attempt.agent.name).toBe('critic')
    expect(await store.read.cycles.find(cycleId)).toMatchObject({ learnings: 'it is dark in there' })
    expect(await landingsOf(jobId)).toEqual([])
  })

  it('goes to the merge queue if the job has no reviewer', async () => {
    const { id, jobId } = await storedTask({ isReviewed: false })
    await work(id, 'tip-1')
    expect((await taskNow(id)).state.type).toBe('landing')
    expect(await landingsOf(jobId)).toMatchObject([
      { tip: 'tip-1', state: { type: 'queued' }, batchLimit: 8 },
    ])
  })
})

describe('a verdict', () => {
  it('queues exactly the reviewed commit for landing, and marks the criteria as met', async () => {
    const { id, jobId } = await storedTask()
    await work(id, 'tip-1', { criteria: [{ criterion: 1, evidence: 'trust me' }] })
    const attempt = await review(id, APPROVED)
    expect(attempt.state).toMatchObject({
      outcome: { type: 'accepted', verdict: { type: 'approved' } },
    })
    expect(await taskNow(id)).toMatchObject({
      state: { type: 'landing' },
      criteria: [{ number: 1, isMet: true, evidence: 'seen in a.txt', by: 'reviewer' }],
    })
    const [landing] = await landingsOf(jobId)
    const worked = found(await store.read.attempts.find(found(landing).attemptId))
    expect(worked).toMatchObject({ role: 'worker', tip: 'tip-1' })
    expect(landing).toMatchObject({ tip: 'tip-1' })
  })

  it('sends work back for revision, which does not count as a failed attempt', async () => {
    const { id, jobId } = await storedTask()
    for (const round of [1, 2]) {
      await work(id, `tip-${round}`)
      await review(id, REVISE)
      expect(await taskNow(id)).toMatchObject({
        state: { type: 'pending' },
        rounds: round,
        retryCount: 0,
        startFrom: `tip-${round}`,
        lastFailure: expect.stringContaining('too short'),
      })
    }
    // This is the third attempt of a task that may fail once, but the first that failed.
    await work(id, 'tip-x', undefined, { type: 'exited', code: 3 })
    expect(await taskNow(id)).toMatchObject({
      state: { type: 'pending' },
      retryCount: 1,
      startFrom: 'tip-2',
      rounds: 2,
    })
    await work(id, 'tip-3')
    await review(id, APPROVED)
    expect(await landingsOf(jobId)).toMatchObject([{ tip: 'tip-3' }])
    const reviews = (await store.read.attempts.listOfTask(id)).filter(({ role }) => role === 'reviewer')
    expect(reviews.map(({ number, baseCommit }) => [number, baseCommit])).toEqual([
      [1, 'tip-1'],
      [2, 'tip-2'],
      [3, 'tip-3'],
    ])
  })

  it('blocks the task for a person after three rounds', async () => {
    const { id, jobId } = await storedTask()
    for (const round of [1, 2, 3, 4]) {
      await work(id, `tip-${round}`)
      await review(id, REVISE)
    }
    const { state, rounds } = await taskNow(id)
    expect(rounds).toBe(3)
    expect(state).toMatchObject({
      type: 'blocked',
      reason: 'the reviewer still wants changes after 3 rounds: a.txt: too short',
      suggestion: expect.stringContaining(`muster diff ${id}`),
    })
    expect(await landingsOf(jobId)).toEqual([])
  })

  it('blocks a rejected task', async () => {
    const { id } = await storedTask()
    await work(id, 'tip-1')
    await review(id, { verdict: 'REJECTED', summary: 'the wrong file' })
    expect((await taskNow(id)).state).toMatchObject({
      type: 'blocked',
      reason: 'the reviewer rejected it: the wrong file',
      suggestion: expect.any(String),
    })
  })
})

describe('an answer without a verdict', () => {
  it('makes Muster ask again, three times in all for the same work', async () => {
    const { id } = await storedTask()
    await work(id, 'tip-1')
    await review(id, { text: 'APPROVED' })
    await review(id, undefined)
    await review(id, REVISE)
    await work(id, 'tip-2')
    for (const number of [4, 5, 6]) {
      expect(await openReview(id)).toMatchObject({ number, baseCommit: 'tip-2' })
      const settled = await review(id, { verdict: 'LGTM' })
      expect(settled.state).toMatchObject({ outcome: { type: 'rejected' } })
    }
    expect((await taskNow(id)).state).toMatchObject({
      type: 'blocked',
      reason: expect.stringContaining('the reviewer gave no usable verdict: `verdict` must be one of'),
      suggestion: expect.stringContaining('choose another reviewer'),
    })
  })

  it('is also assumed if the program failed, no matter what it printed', async () => {
    const { id } = await storedTask()
    await work(id, 'tip-1')
    const settled = await review(id, APPROVED, { type: 'exited', code: 1 })
    expect(settled.state).toMatchObject({
      outcome: { type: 'rejected', reason: 'the reviewer exited with code 1' },
    })
    expect(await openReview(id)).toMatchObject({ number: 2 })
  })

  it('suggests `muster doctor` if the reviewer cannot be started', async () => {
    const { id } = await storedTask()
    await work(id, 'tip-1')
    for (const _ of [1, 2, 3]) await review(id, undefined, { type: 'unstarted', reason: 'no such program' })
    expect((await taskNow(id)).state).toMatchObject({
      reason: expect.stringContaining('no such program'),
      suggestion: expect.stringContaining('muster doctor'),
    })
  })
})

describe('tries', () => {
  it('block the task when they are used up, with a reason', async () => {
    const { id } = await storedTask()
    for (const _ of [1, 2]) await work(id, 'tip', undefined, { type: 'exited', code: 3 })
    expect(await taskNow(id)).toMatchObject({
      state: {
        type: 'blocked',
        reason: '2 attempts failed; the last one: the agent exited with code 3',
        suggestion: expect.stringContaining(`muster logs ${id}`),
      },
      retryCount: 1,
      lastFailure: 'the agent exited with code 3',
    })
  })
})

describe('a review that its task no longer waits for', () => {
  it('is settled as cancelled', async () => {
    const { id } = await storedTask()
    await work(id, 'tip-1')
    const attempt = await endAttempt(await openReview(id), WELL)
    await store.transact(async (records) => {
      const task = found(await records.tasks.find(id))
      await records.tasks.save({ ...task, state: { type: 'skipped', reason: 'enough' } }, exampleChange())
    })
    await store.withJob(attempt.jobId, (records, job) =>
      settleReview(needs, records, { job, attempt, answer: APPROVED }),
    )
    expect((await store.read.attempts.find(attempt.id))?.state).toMatchObject({
      outcome: { type: 'cancelled' },
    })
    expect(await landingsOf(attempt.jobId)).toEqual([])
  })
})
