import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleChange,
  exampleCycle,
  exampleMessage,
  exampleSession,
  exampleTask,
  ids,
  storeExampleJob,
} from '../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../test/support/test-database.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { AttemptPurpose } from '../../domain/attempt/attempt-purpose.ts'
import type { CandidateId, SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Message } from '../../domain/message/message.ts'
import { NO_CONVERSATION } from '../../domain/session/conversation-state.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Task } from '../../domain/task/task.ts'
import { loadLandingEvidence } from './landing-evidence.ts'
import { listWaitingOfJob } from './waiting.ts'

let database: Kysely<Database>
const store = () => createPostgresStore({ database, sendWork: async () => () => undefined })
const needs = () => ({ store: store(), clock: { now: () => new Date() } })

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
})

afterAll(() => database.destroy())

async function openStage(fields: Partial<Job> = {}): Promise<{ readonly job: Job; readonly task: Task }> {
  const job = await storeExampleJob(store(), { state: { type: 'running', pausing: false }, ...fields })
  const cycle = exampleCycle(job)
  const task = exampleTask(cycle, { number: 4 })
  await store().transact(async (records) => {
    await records.cycles.insert(cycle, exampleChange())
    await records.tasks.insertAll([task], exampleChange())
  })
  return { job, task }
}

type Try = { readonly purpose: AttemptPurpose; readonly state: Attempt['state']; readonly number?: number }

/** An attempt with its session. */
async function addAttempt(job: Job, { purpose, state, number = 1 }: Try, fields: Partial<Session> = {}) {
  const id = ids.next('attempt')
  const session = exampleSession(job, { purpose: { type: 'attempt', attemptId: id }, ...fields })
  const attempt = exampleAttempt(job, {
    id,
    purpose,
    number,
    agent: { name: session.agentName, provider: 'command', roles: [], env: [] },
    sessionId: session.id,
    state,
  })
  await store().transact(async (records) => {
    await records.attempts.insert(attempt, exampleChange())
    await records.sessions.insert(session, exampleChange())
  })
  return session
}

async function ask(
  job: Job,
  sender: SessionId,
  fields: Partial<Pick<Message, 'state'>> = {},
): Promise<Message> {
  const message = exampleMessage({ jobId: job.id, sender, kind: 'question', body: 'which one?', ...fields })
  return await store().transact((records) => records.messages.insert(message, exampleChange()))
}

const SETTLED = { type: 'settled', outcome: { type: 'accepted' } } as const

it('lists questions that no one has answered, of agents that are still there, with their tasks', async () => {
  const { job, task } = await openStage()
  const purpose = { type: 'task', taskId: task.id } as const
  const session = await addAttempt(job, { purpose, state: SETTLED }, { agentName: 'ada' })
  const end = { type: 'exited', code: 0 } as const
  const gone = await addAttempt(
    job,
    { purpose, state: SETTLED, number: 2 },
    { state: { type: 'terminated', end } },
  )
  const message = await ask(job, session.id)
  await ask(job, session.id, { state: { type: 'acknowledged', by: 'person' } })
  await ask(job, gone.id)
  expect(await listWaitingOfJob(needs(), job)).toMatchObject([
    { type: 'question', question: { message: { id: message.id }, agentName: 'ada', task: { number: 4 } } },
  ])
})

it('lists one of the sessions of a job that wait for the same log-in', async () => {
  const { job, task } = await openStage()
  const purpose = { type: 'task', taskId: task.id } as const
  const why = { type: 'unready', cause: 'login', reason: 'no log-in', remedy: 'Log in' } as const
  const state = { type: 'suspended', why, hasExited: true } as const
  const first = await addAttempt(job, { purpose, state: SETTLED, number: 1 }, { state })
  await addAttempt(job, { purpose, state: SETTLED, number: 2 }, { state })
  expect(await listWaitingOfJob(needs(), job)).toMatchObject([
    { type: 'session-unready', session: { id: first.id }, why },
  ])
})

it('lists sessions that are suspended or idle, and none that is about to continue', async () => {
  const { job, task } = await openStage()
  const purpose = { type: 'task', taskId: task.id } as const
  const why = { type: 'limited', reason: 'weekly', until: '2026-05-01T14:05:00.000Z' } as const
  const add = (state: Session['state'], number: number) =>
    addAttempt(job, { purpose, state: SETTLED, number }, { state })
  const limited = await add({ type: 'suspended', why, hasExited: true }, 1)
  const asked = await add({ type: 'suspended', why: { type: 'asked', reason: 'lunch' }, hasExited: true }, 2)
  await add({ type: 'suspended', why, hasExited: true, resume: { prompt: 'go on' } }, 3)
  expect(await listWaitingOfJob(needs(), job)).toMatchObject([
    { type: 'session-limited', session: { id: limited.id }, until: why.until },
    { type: 'session-suspended', session: { id: asked.id }, reason: 'lunch' },
  ])
})

it('lists a job whose day is spent, and nothing of a job that has ended', async () => {
  const limits = { maxParallelTasks: 1, attemptMinutes: 1, maxAttempts: 1, dailyUsd: 1 }
  const { job, task } = await openStage()
  const capped = { ...job, plan: { ...job.plan, limits } }
  expect(await listWaitingOfJob(needs(), capped)).toEqual([])
  const conversation = { ...NO_CONVERSATION, usage: { ...NO_CONVERSATION.usage, costUsd: 1 } }
  await addAttempt(job, { purpose: { type: 'task', taskId: task.id }, state: SETTLED }, { conversation })
  expect(await listWaitingOfJob(needs(), capped)).toMatchObject([{ type: 'job-day-spent', dailyUsd: 1 }])
  expect(await listWaitingOfJob(needs(), { ...capped, state: { type: 'cancelled', reason: 'x' } })).toEqual(
    [],
  )
})

it('lists tasks that wait for a limit, unless their job is being paused', async () => {
  const { job, task } = await openStage()
  const waiting = { limit: 'global', value: 1, inUse: 1, since: '2026-05-01T14:05:00.000Z' } as const
  await store().transact((records) =>
    records.tasks.save({ ...task, state: { type: 'pending', waiting } }, exampleChange()),
  )
  expect(await listWaitingOfJob(needs(), job)).toMatchObject([{ type: 'job-start', wait: waiting, tasks: 1 }])
  const pausing: Job = { ...job, state: { type: 'running', pausing: true } }
  expect(await listWaitingOfJob(needs(), pausing)).toEqual([])
})

it('loads the checks of a candidate and the last verdict on each of its tasks', async () => {
  const { job, task } = await openStage()
  const landingId = ids.next('landing')
  const candidateId = ids.next('candidate')
  const checks = [{ command: 'true', passed: true, detail: '', tree: 'c'.repeat(40) }]
  const attempt = await addAttempt(job, { purpose: { type: 'task', taskId: task.id }, state: SETTLED })
  const attemptId = attempt.purpose.type === 'attempt' ? attempt.purpose.attemptId : ids.next('attempt')
  for (const [number, type] of (['needs-revision', 'approved'] as const).entries()) {
    const verdict = { type, summary: `it is ${type}`, issues: [], criteria: [] }
    const state = { type: 'settled', outcome: { type: 'accepted', verdict } } as const
    const review = { purpose: { type: 'review', taskId: task.id }, state, number: number + 1 } as const
    await addAttempt(job, review, { role: 'reviewer', agentName: 'critic' })
  }
  const rest = { jobId: job.id, version: 1, createdAt: new Date() }
  await store().transact(async (records) => {
    await records.landings.insert(
      {
        ...rest,
        id: landingId,
        taskId: task.id,
        attemptId,
        branch: task.branch,
        tip: 'b'.repeat(40),
        state: { type: 'queued' },
        checks: [],
        batchLimit: 8,
      },
      exampleChange(),
    )
    await records.candidates.insert(
      {
        ...rest,
        id: candidateId,
        branch: job.workingBranch,
        purpose: { type: 'landings', landingIds: [landingId] },
        onto: 'a'.repeat(40),
        commit: 'b'.repeat(40),
        tree: 'c'.repeat(40),
        state: { type: 'passed' },
        checks,
      },
      exampleChange(),
    )
  })
  const unknown: CandidateId = ids.next('candidate')
  const evidence = await loadLandingEvidence(needs(), [candidateId, unknown])
  expect([...evidence.keys()]).toEqual([candidateId])
  expect(evidence.get(candidateId)).toMatchObject({
    checks,
    reviews: [{ task: { id: task.id }, agentName: 'critic', verdict: { type: 'approved' } }],
  })
})
