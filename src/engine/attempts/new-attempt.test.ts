import { afterAll, beforeAll, expect, it } from 'vitest'
import { type JobTrial, openJobTrial, settleAll } from '../../../test/support/job-trial.ts'
import type { Admission } from '../../domain/admission/admit.ts'
import type { Session } from '../../domain/session/session.ts'
import { insertAttempt, newAttempt } from './new-attempt.ts'

let trial: JobTrial

beforeAll(async () => {
  trial = await openJobTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

/** Stores an attempt after this decision. */
async function store(admission: Admission): Promise<Session> {
  const { needs } = trial
  const job = await trial.start()
  await settleAll(needs.store, job.id)
  const [cycle] = await needs.store.read.cycles.listOf(job.id)
  const [agent] = job.plan.agents
  if (cycle === undefined || agent === undefined) throw new Error('there is no cycle or no agent')
  const attempt = newAttempt(needs, {
    job,
    purpose: { type: 'discovery', cycleId: cycle.id },
    role: 'planner',
    number: 2,
    agent,
    head: job.baseCommit,
  })
  trial.sent.length = 0
  await needs.store.transact((records) => insertAttempt(needs, records, { attempt, admission }))
  expect(await needs.store.read.attempts.find(attempt.id)).toMatchObject({ state: { type: 'preparing' } })
  const session = await needs.store.read.sessions.find(attempt.sessionId)
  if (session === undefined) throw new Error('there is no session')
  return session
}

it('starts the program of an admitted attempt', async () => {
  const { id, state } = await store({ type: 'admitted' })
  expect(state.type).toBe('starting')
  expect(trial.sent).toEqual([{ type: 'session-start', sessionId: id }])
})

it('makes the session of a refused attempt wait, and sends nothing that starts its program', async () => {
  const { state } = await store({ type: 'refused', limit: 'global', value: 1, inUse: 1 })
  expect(state).toMatchObject({ type: 'waiting', limit: 'global', value: 1, inUse: 1 })
  expect(trial.sent).toEqual([])
})
