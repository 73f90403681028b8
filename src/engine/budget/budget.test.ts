import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleChange } from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, planTasks, settleAll, spend } from '../../../test/support/job-trial.ts'
import { dayOf } from '../../domain/budget/day.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import { NO_TALK } from '../../domain/session/talk.ts'
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
  // Every test has a day of its own: what others spent is not of today.
  trial.now = new Date(trial.now.getTime() + 48 * 3_600_000)
})

/** A job whose planner has cost so much and planned so many tasks; as many of them run as may. */
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

/** Lets what runs end well: its tasks have landed. */
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
  it('warns once, then stops what runs and skips what waits, and says so once', async () => {
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

  it('ends the job when its cycle is over', async () => {
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

  it('keeps back what the next attempts are expected to cost', async () => {
    const job = await planned(1, 0.1, 5)
    await land(job, 0.25)
    await advanceJob(trial.needs, job.id)
    // 0.60 are spent and an attempt costs 0.25: there is room for one of the two that could run.
    expect(await live(job)).toHaveLength(1)
    expect(await states(job)).toEqual(['completed', 'completed', 'running', 'pending', 'pending'])
  })

  it('is reached when nothing runs and what is left does not pay for one more', async () => {
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

  it('is looked at about once a second while programs spend, and not for nothing', () => {
    const watch = new SpendWatch(trial.needs)
    const payer = trial.needs.ids.next('job')
    const talk = (costUsd: number) => ({ ...NO_TALK, usage: { ...NO_TALK.usage, costUsd } })
    watch.note(undefined, talk(0), talk(1))
    watch.note(payer, talk(1), talk(1))
    watch.note(payer, talk(1), undefined)
    expect(trial.alarms).toEqual([])
    for (const cost of [1, 2, 3]) watch.note(payer, talk(cost), talk(cost + 1))
    expect(trial.alarms).toEqual([
      { at: new Date(trial.now.getTime() + 1_000), work: { type: 'job-advance', jobId: payer } },
    ])
    trial.now = new Date(trial.now.getTime() + 1_000)
    watch.note(payer, talk(4), talk(5))
    expect(trial.alarms).toHaveLength(2)
  })
})

describe('the limit of a day', () => {
  it('lets nothing start until the next midnight, whoever spent it, and is no error', async () => {
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
