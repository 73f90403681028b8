import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleChange,
  exampleCycle,
  exampleJob,
  exampleSession,
  exampleTask,
  ids,
  storeExampleJob,
} from '../../../../../test/support/example-records.ts'
import { createTestDatabase } from '../../../../../test/support/test-database.ts'
import type { Attempt } from '../../../../domain/attempt/attempt.ts'
import type { AttemptPurpose } from '../../../../domain/attempt/attempt-purpose.ts'
import { castFor } from '../../../../domain/job/cast-for.ts'
import type { Job } from '../../../../domain/job/job.ts'
import { landsUnreviewed } from '../../../../domain/playbook/lands-unreviewed.ts'
import type { Task } from '../../../../domain/task/task.ts'
import { openDatabase } from '../open-database.ts'
import { createPostgresStore } from '../postgres-store.ts'
import { migration0028 } from './0028-reviews.ts'

const database = openDatabase({ ...(await createTestDatabase()) }, () => undefined)
const store = createPostgresStore({ database, sendWork: async () => () => undefined })

const VERDICT = { type: 'approved', summary: 'good', issues: [], criteria: [] } as const

/** A job of an earlier version with tasks in every state that matters. Its agents work on the second and third. */
async function storeOlderJob(state: Job['state'], plan: Partial<Job['plan']>) {
  const example = exampleJob().plan
  const critic = { name: 'critic', provider: 'command', roles: ['reviewer'], env: [] }
  const job = await storeExampleJob(store, {
    state,
    plan: { ...example, agents: [...example.agents, critic], ...plan },
  })
  const cycle = exampleCycle(job)
  const landing = { type: 'landing', landingId: ids.next('landing') } as const
  const states: readonly Task['state'][] = [
    { type: 'pending' },
    { type: 'running', attemptId: ids.next('attempt') },
    { type: 'running', attemptId: ids.next('attempt') },
    landing,
    { type: 'completed', commit: 'c' },
  ]
  const tasks = states.map((one, index) => exampleTask(cycle, { number: index + 1, state: one }))
  await store.transact(async (records) => {
    await records.cycles.insert(cycle, exampleChange())
    await records.tasks.insertAll(tasks, exampleChange())
  })
  const [, worked, judged, landed] = tasks.map(({ id }) => id)
  if (worked === undefined || judged === undefined || landed === undefined) throw new Error('no tasks')
  await sql`update tasks set state = state || '{"type":"review"}' where id = ${judged}`.execute(database)
  const sessions = [
    await storeAttempt(job, { type: 'task', taskId: worked }, { type: 'running' }),
    await storeAttempt(job, { type: 'review', taskId: judged }, { type: 'running' }),
  ]
  const accepted = { type: 'settled', outcome: { type: 'accepted', verdict: VERDICT } } as const
  await storeAttempt(job, { type: 'review', taskId: landed }, accepted)
  return { job, landed, sessions }
}

async function storeAttempt(job: Job, purpose: AttemptPurpose, state: Attempt['state']) {
  const attempt = exampleAttempt(job, { purpose, state })
  const session = exampleSession(job, {
    id: attempt.sessionId,
    purpose: { type: 'attempt', attemptId: attempt.id },
    state: { type: 'running', pid: 1, startTime: 'x' },
  })
  await store.transact(async (records) => {
    await records.sessions.insert(session, exampleChange())
    await records.attempts.insert(attempt, exampleChange())
  })
  return session.id
}

async function factsOf({ job, sessions }: Awaited<ReturnType<typeof storeOlderJob>>) {
  const tasks = await store.read.tasks.listOfJob(job.id)
  const found = await Promise.all(sessions.map((id) => store.read.sessions.find(id)))
  return {
    tasks: tasks.map(({ state, playbook }) => `${state.type} ${playbook?.name ?? 'alone'}`),
    sessions: found.map((session) => session?.state.type),
    reviews: (await store.read.jobs.find(job.id))?.plan.reviews,
  }
}

it('lets runs of the playbook `reviewed` do what open jobs with a reviewer were doing', async () => {
  const running = { type: 'running', pausing: false } as const
  const open = await storeOlderJob(running, { reviewer: 'critic', mode: 'review' })
  const others = [
    await storeOlderJob(running, {}),
    await storeOlderJob({ type: 'completed', reason: 'goal-reached', evidence: [] }, { reviewer: 'critic' }),
  ]
  const before = await Promise.all(others.map(factsOf))
  await sql`alter table tasks add column start_from text`.execute(database)
  await migration0028.up(database as unknown as Kysely<unknown>)

  const { tasks, sessions, reviews } = await factsOf(open)
  expect(tasks).toEqual([
    'pending reviewed',
    'pending reviewed',
    'pending reviewed',
    'landing alone',
    'completed alone',
  ])
  expect(sessions).toEqual(['terminating', 'terminating'])
  const pinned = await store.read.pinnedPlaybooks.find(reviews?.hash ?? '')
  const job = await store.read.jobs.find(open.job.id)
  if (pinned === undefined || job === undefined) throw new Error('nothing is pinned')
  expect(landsUnreviewed(pinned.playbook)).toBe(false)
  const cast = castFor(job.plan)(pinned.playbook)
  expect(cast).toMatchObject({
    ok: true,
    value: { developer: [{ agent: job.plan.worker }], reviewer: [{ agent: 'critic' }] },
  })
  // What a reviewer decided earlier can still be read.
  expect(await store.read.attempts.listOfTask(open.landed)).toMatchObject([
    { purpose: { type: 'review' }, state: { outcome: { verdict: VERDICT } } },
  ])
  expect(await Promise.all(others.map(factsOf))).toEqual(before)
  await database.destroy()
})
