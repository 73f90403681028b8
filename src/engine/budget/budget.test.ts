import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleChange } from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, planTasks, settleAll, spend } from '../../../test/support/job-trial.ts'
import { dayOf } from '../../domain/budget/day.ts'
import type { Job } from '../../domain/job/job.ts'
import { NO_CONVERSATION } from '../../domain/session/conversation-state.ts'
import type { Session } from '../../domain/session/session.ts'
import { wakeWaiting } from '../admission/wake-waiting.ts'
import { advanceJob } from '../jobs/advance-job.ts'
import { SpendWatch } from '../sessions/listen/spend-watch.ts'

let trial: JobTrial
let usual: JobTrial['configuration']

beforeAll(async () => {
  trial = await openJobTrial()
  usual = trial.configuration
})

afterAll(() => trial[Symbol.asyncDispose]())

beforeEach(() => {
  trial.configuration = usual
  trial.alarms.length = 0
  // Every test runs on its own day, so the spending of other tests doesn't count.
  trial.now = new Date(trial.now.getTime() + 48 * 3_600_000)
})

/** A job whose planner has cost this much and planned this many tasks, of which as many run as allowed. */
async function planned(budgetUsd: number | undefined, plannerUsd: number, tasks: number): Promise<Job> {
  const job = await trial.start({
    maxParallelTasks: 2,
    timeLimitMinutes: 1_000_000,
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
  })
  await advanceJob(trial.needs, job.id)
  await settleAll(trial.needs.store, job.id, plannerUsd)
  await planTasks(trial.needs.store, job, Array(tasks).fill({}))
  await advanceJob(trial.needs, job.id)
  return trial.job(job.id)
}

const live = (job: Job) => trial.needs.store.read.sessions.listLive(job.id)

async function states(job: Job) {
  return (await trial.needs.store.read.tasks.listOfJob(job.id)).map(({ state }) => state.type)
}

async function budgetEvents(job: Job) {
  return (await trial.eventsOf(job.id)).filter(({ type }) => type.startsWith('budget_'))
}

/** Ends the running sessions and completes their tasks. */
async function land(job: Job, costUsd: number): Promise<void> {
  const { store } = trial.needs
  await settleAll(store, job.id, costUsd)
  for (const task of await store.read.tasks.listOfJob(job.id)) {
    if (task.state.type !== 'running') continue
    const state = { type: 'completed', commit: 'c'.repeat(40) } as const
    await store.transact((records) => records.tasks.save({ ...task, state }, exampleChange()))
  }
}

describe('a budget', () => {
  it('warns once, and when it is reached stops running sessions and skips waiting tasks', async () => {
    const job = await planned(1, 0.3, 4)
    const sessions = await live(job)
    expect(sessions).toHaveLength(2)
    await spend(trial.needs.store, sessions[0] as Session, 0.5)
    for (const _ of [1, 2]) await advanceJob(trial.needs, job.id)
    expect(await budgetEvents(job)).toMatchObject([
      { type: 'budget_warned', data: { budgetUsd: 1, spentUsd: 0.8 } },
    ])
    expect((await live(job)).map(({ state }) => state.type)).not.toContain('terminating')
    await spend(trial.needs.store, sessions[1] as Session, 0.3)
    for (const _ of [1, 2]) await advanceJob(trial.needs, job.id)
    expect((await budgetEvents(job)).map(({ type }) => type)).toEqual(['budget_warned', 'budget_reached'])
    const reason = 'the budget of $1.00 was reached'
    expect((await live(job)).map(({ state }) => state)).toMatchObject([
      { type: 'terminating', why: { type: 'cancelled', reason } },
      { type: 'terminating', why: { type: 'cancelled', reason } },
    ])
    expect(await states(job)).toEqual(['running', 'running', 'skipped', 'skipped'])
    const skipped = (await trial.needs.store.read.tasks.listOfJob(job.id)).at(-1)
    expect(skipped?.state).toEqual({ type: 'skipped', reason })
  })

  it('ends the job after the cycle', async () => {
    const job = await planned(1, 0.9, 1)
    await land(job, 0.2)
    await advanceJob(trial.needs, job.id)
    const cycle = (await trial.needs.store.read.cycles.listOf(job.id)).at(-1)
    expect(cycle?.phase).toBe('convergence')
    if (cycle === undefined) return
    await trial.needs.store.transact((records) =>
      records.cycles.save({ ...cycle, phase: 'done', tasksCompleted: 1 }, exampleChange()),
    )
    await advanceJob(trial.needs, job.id)
    expect((await trial.job(job.id)).state).toMatchObject({ type: 'completed', reason: 'budget-reached' })
  })

  it('reserves what running attempts are expected to cost', async () => {
    const job = await planned(1, 0.1, 5)
    await land(job, 0.25)
    await advanceJob(trial.needs, job.id)
    // $0.60 is spent and an attempt costs $0.25, so only one of the two tasks can start.
    expect(await live(job)).toHaveLength(1)
    expect(await states(job)).toEqual(['completed', 'completed', 'running', 'pending', 'pending'])
  })

  it('is reached if nothing runs and the rest does not pay for one more attempt', async () => {
    const job = await planned(1, 0.1, 4)
    await land(job, 0.4)
    await advanceJob(trial.needs, job.id)
    expect(await live(job)).toEqual([])
    expect(await states(job)).toEqual(['completed', 'completed', 'skipped', 'skipped'])
    expect(await budgetEvents(job)).toMatchObject([
      { type: 'budget_reached', data: { spentUsd: 0.9, meanUsd: { worker: 0.4 }, role: 'worker' } },
    ])
    const skipped = (await trial.needs.store.read.tasks.listOfJob(job.id)).at(-1)?.state
    expect(skipped).toMatchObject({
      reason: 'the budget of $1.00 was reached: $0.10 is left, and an attempt costs $0.40 on average',
    })
  })

  it('is checked about once a second while programs report costs, and not otherwise', () => {
    const watch = new SpendWatch(trial.needs)
    const payer = { type: 'job-advance', jobId: trial.needs.ids.next('job') } as const
    const conversation = (costUsd: number) => ({
      ...NO_CONVERSATION,
      usage: { ...NO_CONVERSATION.usage, costUsd },
    })
    watch.note(undefined, conversation(0), conversation(1))
    watch.note([payer], conversation(1), conversation(1))
    watch.note([payer], conversation(1), undefined)
    expect(trial.alarms).toEqual([])
    for (const cost of [1, 2, 3]) watch.note([payer], conversation(cost), conversation(cost + 1))
    expect(trial.alarms).toEqual([{ at: new Date(trial.now.getTime() + 1_000), work: payer }])
    trial.now = new Date(trial.now.getTime() + 1_000)
    watch.note([payer], conversation(4), conversation(5))
    expect(trial.alarms).toHaveLength(2)
  })
})

describe('the daily limit', () => {
  it('lets no job start anything until midnight, which is not an error', async () => {
    const spender = await planned(undefined, 2, 0)
    trial.configuration = { ...usual, limits: { dailyUsd: 2 } }
    const job = await trial.start({ timeLimitMinutes: 1_000_000 })
    await advanceJob(trial.needs, job.id)
    expect(await live(job)).toEqual([])
    const midnight = dayOf(trial.now).end
    const until = midnight.toISOString()
    expect((await trial.job(job.id)).state).toMatchObject({
      pausing: false,
      restsUntil: until,
      waiting: { limit: 'day', value: 2, inUse: 2, until },
    })
    await wakeWaiting(trial.needs)
    expect(trial.alarms).toEqual([{ at: midnight, work: { type: 'admission-wake' } }])
    const said = { type: 'budget_reached', data: { day: true, until, spentUsd: 2, budgetUsd: 2 } }
    expect(await budgetEvents(job)).toEqual([said])
    await advanceJob(trial.needs, job.id)
    expect(await budgetEvents(job)).toEqual([said])
    trial.now = midnight
    await advanceJob(trial.needs, job.id)
    expect(await live(job)).toHaveLength(1)
    expect(await trial.needs.store.read.sessions.spentBy(spender.id)).toBe(2)
  })
})
