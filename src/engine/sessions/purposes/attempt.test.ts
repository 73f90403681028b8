import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleChange,
  exampleCycle,
  exampleJob,
  exampleSession,
  exampleTask,
  ids,
  storeExampleJob,
} from '../../../../test/support/example-records.ts'
import { NO_ASSIGNMENTS } from '../../../../test/support/no-assignments.ts'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../../../adapters/store/postgres/database.ts'
import { openDatabase } from '../../../adapters/store/postgres/open-database.ts'
import { createPostgresStore } from '../../../adapters/store/postgres/postgres-store.ts'
import type { Attempt } from '../../../domain/attempt/attempt.ts'
import type { HandoffNote } from '../../../domain/handoff/handoff-note.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { Store } from '../../../ports/store/store.ts'
import type { Assignment } from '../../assignment.ts'
import type { EngineSettings } from '../../engine-needs.ts'
import { planOf } from './plan-of.ts'
import type { PlanNeeds } from './session-plan.ts'

const SETUP = ['npm ci', 'make all']
const AT = new Date('2026-01-01T12:00:00Z')
const DONE = { end: { type: 'exited', code: 0 }, ending: 'done', at: AT } as const
let database: Kysely<Database>
let store: Store
let needs: PlanNeeds

const assignment = (name: string, mode: Assignment['mode']): Assignment => ({
  mode,
  startPatienceMs: 60_000,
  prompt: (job, attempt) => Promise.resolve(`${name} ${attempt.number}: ${job.requestDocument}`),
  settle: () => Promise.resolve(),
})
const table: Readonly<Record<string, Assignment>> = {
  reader: assignment('reader', 'read'),
  worker: assignment('worker', 'write'),
}

beforeAll(async () => {
  database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
  store = createPostgresStore({ database, sendWork: () => Promise.resolve(() => undefined) })
  const settings: Partial<EngineSettings> = {
    treesDirectory: '/trees',
    passedEnvironment: { PATH: '/bin' },
    daemonUrl: () => 'http://localhost',
    tokenOf: () => 'token',
    maxSessions: 10,
  }
  needs = {
    store,
    settings: settings as EngineSettings,
    clock: { now: () => AT },
    assignments: { find: ({ role }) => Promise.resolve(table[role]) },
  }
})

afterAll(() => database.destroy())

const note = (from: Session): HandoffNote => ({
  from: from.id,
  fromAgent: 'one',
  to: 'one',
  summary: '',
  nextSteps: '',
  reason: '',
  at: '',
})

/** Stores an attempt at a task, with its session. */
async function stored(
  fields: Partial<Attempt> = {},
  session: Partial<Session> = {},
): Promise<{ readonly attempt: Attempt; readonly session: Session }> {
  const job = await storeExampleJob(store, { plan: { ...exampleJob().plan, setup: SETUP } })
  const cycle = exampleCycle(job, { number: 3 })
  const task = exampleTask(cycle)
  const attemptId = ids.next('attempt')
  const own = exampleSession(job, {
    purpose: { type: 'attempt', attemptId },
    state: { type: 'starting' },
    createdAt: AT,
    ...session,
  })
  const attempt = exampleAttempt(job, {
    id: attemptId,
    purpose: { type: 'task', taskId: task.id },
    sessionId: own.id,
    state: { type: 'preparing' },
    baseCommit: 'b'.repeat(40),
    createdAt: AT,
    ...fields,
  })
  await store.transact(async (records) => {
    await records.cycles.insert(cycle, exampleChange())
    await records.tasks.insertAll([task], exampleChange())
    await records.attempts.insert(attempt, exampleChange())
    await records.sessions.insert(own, exampleChange())
  })
  return { attempt, session: own }
}

const workplaceOf = async (session: Session) => {
  const workplace = await planOf(session).findWorkplace(needs)
  if (workplace === undefined) throw new Error('it has no workplace')
  return workplace
}

describe('the plan of a session that works on an attempt', () => {
  it('works in the tree of the attempt, as its task and cycle', async () => {
    const { attempt, session } = await stored()
    const workplace = await workplaceOf(session)
    const taskId = 'taskId' in attempt.purpose ? attempt.purpose.taskId : ''
    expect(workplace).toMatchObject({
      program: { type: 'agent', agent: { name: 'one' } },
      tree: { directory: `/trees/${attempt.id}`, commit: attempt.baseCommit, branch: 'example--t1-1' },
      isReadOnly: false,
      setup: SETUP,
      timeMs: 30 * 60_000,
      place: { cycle: 3, taskId },
    })
    expect(workplace.environment('/session')).toMatchObject({
      MUSTER_CYCLE: '3',
      MUSTER_TASK_ID: taskId,
      MUSTER_ATTEMPT: '1',
      MUSTER_PROMPT_FILE: '/session/prompt.md',
    })
  })

  it('sets nothing up for a role that only reads, a successor, or a resumed session', async () => {
    const reader = await workplaceOf((await stored({ role: 'reader' })).session)
    expect(reader).toMatchObject({ setup: [], isReadOnly: true })
    const { session: before } = await stored()
    expect(await workplaceOf((await stored({ handoffs: [note(before)] })).session)).toMatchObject({
      setup: [],
    })
    const { session } = await stored()
    expect(await workplaceOf({ ...session, processNumber: 2 })).toMatchObject({ setup: [] })
  })

  it('is asked what its role asks', async () => {
    const { session } = await stored({ number: 2 })
    expect(await planOf(session).firstPrompt(needs)).toBe('worker 2: make it better')
  })

  it('starts when the tree is free, and never without an assignment or beyond its patience', async () => {
    const { session: before } = await stored({}, { state: { type: 'running', pid: 1, startTime: '1' } })
    const { session: successor } = await stored({ handoffs: [note(before)] })
    expect(await planOf(successor).readiness(needs)).toEqual({ type: 'later' })
    await store.transact((records) =>
      records.sessions.save({ ...before, state: { type: 'terminated', end: DONE.end } }, exampleChange()),
    )
    expect(await planOf(successor).readiness(needs)).toEqual({ type: 'ready' })
    const unknown = await stored({ role: 'worker' })
    const without = { ...needs, assignments: NO_ASSIGNMENTS }
    expect(await planOf(unknown.session).readiness(without)).toMatchObject({ type: 'never' })
    const waited = await stored({}, { createdAt: new Date(AT.getTime() - 60_001) })
    expect(await planOf(waited.session).readiness(needs)).toMatchObject({ type: 'never' })
  })

  it('starts and ends its attempt with it, and is needed until the attempt is settled', async () => {
    const { attempt, session } = await stored()
    const plan = planOf(session)
    await store.transact((records) => plan.whenStarted(records))
    expect((await store.read.attempts.find(attempt.id))?.state).toEqual({ type: 'running' })
    const following = await store.transact((records) => plan.whenEnded(records, DONE))
    expect(following).toEqual([
      { type: 'attempt-settle', attemptId: attempt.id },
      { type: 'job-advance', jobId: attempt.jobId },
    ])
    const ended = await store.read.attempts.find(attempt.id)
    expect(ended).toMatchObject({ state: { type: 'ended', ending: 'done' }, endedAt: AT })
    expect(await store.transact((records) => plan.whenEnded(records, DONE))).toEqual([])
    expect(await plan.isNeeded({ store })).toBe(true)
    if (ended === undefined) throw new Error('it is gone')
    const state = { type: 'settled', outcome: { type: 'accepted' } } as const
    await store.transact((records) => records.attempts.save({ ...ended, state }, exampleChange()))
    expect(await plan.isNeeded({ store })).toBe(false)
  })

  it('starts its successor when it ends after a handoff', async () => {
    const { attempt, session: successor } = await stored()
    const before = { ...successor, id: ids.next('session') }
    const following = await store.transact((records) => planOf(before).whenEnded(records, DONE))
    expect(following).toEqual([{ type: 'session-start', sessionId: successor.id }])
    expect((await store.read.attempts.find(attempt.id))?.state).toEqual({ type: 'preparing' })
  })
})
