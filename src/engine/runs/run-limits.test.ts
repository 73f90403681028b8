import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange, exampleSession } from '../../../test/support/example-records.ts'
import { settleAll, spend } from '../../../test/support/job-trial.ts'
import { changed, developing, openRunTrial, type RunTrial } from '../../../test/support/run-trial.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Run } from '../../domain/run/run.ts'
import { decideApproval } from '../approvals/decide-approval.ts'
import { advanceJob } from '../jobs/advance-job.ts'
import { pauseJob, resumeJob } from '../jobs/control-job.ts'

const MINUTE = 60_000

let trial: RunTrial

beforeAll(async () => {
  trial = await openRunTrial()
  const stages = {
    implement: developing({ done: 'polish', failed: 'end.failed' }),
    polish: developing({ done: 'end.land', failed: 'end.partial' }),
  }
  const limits = { minutes: 10, usd: 2, parallel: 1 }
  await trial.write('two-steps', { limits, start: 'implement', stages, result: { partial: 'ask' } })
  const gate = {
    gate: { ask: 'Go on?', hours: 72 },
    on: { allowed: 'polish', denied: 'end.failed', expired: 'end.failed' },
  }
  await trial.write('gated', {
    limits,
    start: 'implement',
    stages: { ...stages, implement: developing({ done: 'ask', failed: 'end.failed' }), ask: gate },
  })
})

afterAll(() => trial[Symbol.asyncDispose]())

const sessionsOf = ({ id }: Job) => trial.jobs.needs.store.read.sessions.listOfJob(id)
const alarmsOf = ({ id }: Run) =>
  trial.jobs.alarms.filter(({ work }) => work.type === 'run-advance' && work.runId === id)

async function answer({ id }: Job): Promise<void> {
  const { needs } = trial.jobs
  const [question] = await needs.store.read.approvals.list({ jobId: id, isPending: true }, 10)
  if (question === undefined) throw new Error('nobody is asked')
  const verdict = { type: 'approval-allow', by: 'grace' } as const
  await decideApproval({ ...needs, adoptSession: () => undefined }, question.id, verdict)
}

describe('a run that is out of time', () => {
  it('ends with its best work as partial, and stops its agents', async () => {
    const { job, run } = await trial.follow('two-steps')
    await trial.settle(run.id, changed('1'))
    expect(alarmsOf(run).at(-1)?.at).toEqual(new Date(run.createdAt.getTime() + 10 * MINUTE))
    trial.pass(9)
    await trial.advance(run.id)
    expect(await trial.way(run.id)).toEqual(['implement: done', 'polish is working'])
    trial.pass(1)
    await trial.advance(run.id)
    expect(await trial.way(run.id)).toEqual(['implement: done', 'polish is cancelled'])
    expect((await trial.run(run.id)).state).toMatchObject({
      type: 'asking',
      end: 'partial',
      reason: 'it took the 10 minutes that its playbook allows',
    })
    const stopped = (await sessionsOf(job)).at(-1)
    expect(stopped?.state.type).toMatch(/terminat/)
    await answer(job)
    await trial.advance(run.id)
    expect((await trial.run(run.id)).state).toMatchObject({ type: 'ended', end: 'partial' })
    const [landing] = await trial.jobs.needs.store.read.landings.listOpen(job.id)
    expect(landing?.tip).toBe('1'.repeat(40))
  })

  it('ends as failed if it has no work', async () => {
    const { job, run } = await trial.follow('two-steps')
    trial.pass(10)
    await trial.advance(run.id)
    expect((await trial.run(run.id)).state).toMatchObject({ type: 'ended', end: 'failed' })
    const [task] = await trial.jobs.needs.store.read.tasks.listOfJob(job.id)
    expect(task?.state).toMatchObject({ type: 'blocked', reason: expect.stringContaining('10 minutes') })
  })

  it('still ends as its playbook says if its last visit has ended', async () => {
    const { run } = await trial.follow('two-steps')
    await trial.settle(run.id, changed('1'))
    trial.pass(11)
    await trial.settle(run.id, changed('2'))
    expect((await trial.run(run.id)).state).toMatchObject({ type: 'ended', end: 'land' })
  })

  it('also ends when its job is out of time', async () => {
    const { run } = await trial.follow('two-steps', { timeLimitMinutes: 5 })
    expect(alarmsOf(run).at(-1)?.at).toEqual(new Date(run.createdAt.getTime() + 5 * MINUTE))
    trial.pass(5)
    await trial.advance(run.id)
    expect((await trial.run(run.id)).state).toMatchObject({ end: 'failed', reason: 'the job is out of time' })
  })
})

describe('a run that is out of money', () => {
  it('ends with what it has once its attempts cost more than its playbook allows', async () => {
    const { job, run } = await trial.follow('two-steps')
    const [first] = await sessionsOf(job)
    if (first === undefined) throw new Error('nobody works')
    await spend(trial.jobs.needs.store, first, 1.5)
    await trial.settle(run.id, changed('1'))
    expect((await trial.run(run.id)).state.type).toBe('running')
    await spend(trial.jobs.needs.store, first, 0.5)
    await trial.advance(run.id)
    expect((await trial.run(run.id)).state).toMatchObject({
      type: 'asking',
      reason: 'it cost the $2.00 that its playbook allows',
    })
  })

  it('also counts what questions to its agents cost', async () => {
    const { job, run } = await trial.follow('two-steps')
    const [first] = await sessionsOf(job)
    const agent = job.plan.agents[0]
    if (first === undefined || agent === undefined) throw new Error('nobody works')
    await trial.settle(run.id, changed('1'))
    const { store } = trial.jobs.needs
    const purpose = { type: 'query', of: first.id, question: 'why?', agent, timeMs: MINUTE } as const
    const query = exampleSession(job, { purpose })
    const other = exampleSession(job, { purpose: { ...purpose, of: query.id } })
    for (const session of [query, other])
      await store.transact((records) => records.sessions.insert(session, exampleChange()))
    await spend(store, other, 5)
    await spend(store, query, 1.5)
    await trial.advance(run.id)
    expect((await trial.run(run.id)).state.type).toBe('running')
    await spend(store, query, 0.5)
    await trial.advance(run.id)
    expect((await trial.run(run.id)).state).toMatchObject({ type: 'asking', end: 'partial' })
  })
})

describe('the clocks of a run and its job', () => {
  it('stand still while a gate is open, and start again with the decision', async () => {
    const { job, run } = await trial.follow('gated', { timeLimitMinutes: 20 })
    trial.pass(3)
    await settleAll(trial.jobs.needs.store, job.id)
    await trial.settle(run.id, changed('1'))
    expect(await trial.way(run.id)).toEqual(['implement: done', 'ask is asking'])
    expect(trial.jobs.sent).toContainEqual({ type: 'job-advance', jobId: job.id })
    await advanceJob(trial.jobs.needs, job.id)
    expect((await trial.jobs.job(job.id)).runningSince).toBeUndefined()
    expect((await trial.run(run.id)).runningSince).toBeUndefined()
    trial.pass(24 * 60)
    await trial.advance(run.id)
    await answer(job)
    await trial.advance(run.id)
    await advanceJob(trial.jobs.needs, job.id)
    expect(await trial.way(run.id)).toEqual(['implement: done', 'ask: allowed', 'polish is working'])
    const clock = { activeMs: 3 * MINUTE, runningSince: trial.jobs.now }
    expect(await trial.jobs.job(job.id)).toMatchObject(clock)
    expect(await trial.run(run.id)).toMatchObject(clock)
  })

  it('stand still during a pause, and the run continues as soon as the job is resumed', async () => {
    const { job, run } = await trial.follow('two-steps')
    trial.pass(2)
    await pauseJob(trial.jobs.needs, job.id)
    await settleAll(trial.jobs.needs.store, job.id)
    await trial.settle(run.id, changed('1'))
    await advanceJob(trial.jobs.needs, job.id)
    expect((await trial.jobs.job(job.id)).state.type).toBe('paused')
    expect(await trial.way(run.id)).toEqual(['implement: done', 'polish is waiting'])
    trial.pass(60)
    trial.jobs.sent.length = 0
    await resumeJob(trial.jobs.needs, job.id)
    expect(trial.jobs.sent).toContainEqual({ type: 'run-advance', runId: run.id })
    await trial.advance(run.id)
    expect(await trial.way(run.id)).toEqual(['implement: done', 'polish is working'])
    expect(await trial.run(run.id)).toMatchObject({ activeMs: 2 * MINUTE, runningSince: trial.jobs.now })
  })
})
