import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type JobTrial, openJobTrial, planTasks, settleAll } from '../../../test/support/job-trial.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import type { Priority, Task } from '../../domain/task/task.ts'
import { advanceJob } from '../jobs/advance-job.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { settleWork } from '../roles/worker.ts'
import { storeEnd } from '../sessions/end/end-session.ts'
import { wakeWaiting } from './wake-waiting.ts'

const TIP = 'b'.repeat(40)
const SIZE = {
  files: 1,
  added: 1,
  removed: 0,
  bytes: 10,
  deletedFiles: 0,
  baseFiles: 0,
  baseGenerated: [],
  createdPaths: ['a.txt'],
  changedPaths: ['a.txt'],
  hasEscapes: false,
}
/** What follows from it isn't known before its attempt is settled. */
const FAILED: SessionEnd = { type: 'exited', code: 1 }

let trial: JobTrial

/** A machine with one place. */
const needs = () => ({ ...trial.needs, settings: { ...trial.needs.settings, maxSessions: 1 } })

beforeAll(async () => {
  trial = await openJobTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

beforeEach(async () => {
  trial.alarms.length = 0
  trial.needs.settings.stalledJobs.clear()
  for (const job of await trial.needs.store.read.jobs.listOpen()) {
    await cancelJob(trial.needs, job.id, 'the test has ended')
    await settleAll(trial.needs.store, job.id)
  }
  trial.sent.length = 0
})

/** A job with one task, which starts if there is a place. */
async function planned(priority: Priority): Promise<Job> {
  const job = await trial.start()
  await advanceJob(trial.needs, job.id)
  await settleAll(trial.needs.store, job.id)
  await planTasks(trial.needs.store, job, [{ priority }])
  await advanceJob(needs(), job.id)
  return job
}

async function taskOf(job: Job): Promise<Task> {
  const [task] = await trial.needs.store.read.tasks.listOfJob(job.id)
  if (task === undefined) throw new Error('there is no task')
  return task
}

/** Does what starts waiting sessions and tasks, as the queue would. */
async function work(): Promise<void> {
  for (let next = trial.sent.shift(); next !== undefined; next = trial.sent.shift()) {
    if (next.type === 'admission-wake') await wakeWaiting(needs())
    if (next.type === 'job-advance') await advanceJob(needs(), next.jobId)
  }
}

/** Ends the job's only running program, and does everything that follows except settling its attempt. */
async function endProgram(job: Job, end: SessionEnd = FAILED): Promise<Attempt> {
  const { store } = trial.needs
  const [session] = await store.read.sessions.listLive(job.id)
  if (session === undefined) throw new Error('nothing runs')
  await store.transact((records) => storeEnd(trial.needs, records, session, { type: 'terminated', end }))
  await work()
  const attempts = await store.read.attempts.listEnded()
  const attempt = attempts.find(({ sessionId }) => sessionId === session.id)
  if (attempt === undefined) throw new Error('no attempt has ended')
  return attempt
}

async function settle(attempt: Attempt): Promise<void> {
  const settling = { ...needs(), settings: { ...needs().settings, usualWork: { files: 500, bytes: 1e6 } } }
  const left = { files: ['a.txt'], commits: [TIP] }
  await trial.needs.store.withJob(attempt.jobId, async (records, job) => {
    await settleWork(settling, records, {
      job,
      attempt: { ...attempt, tip: TIP },
      collected: { ...left, type: 'usable', tip: TIP, committedForAgent: false, omissions: [] },
      whole: { ...left, hasChanged: true, size: SIZE },
      answer: undefined,
    })
  })
  await work()
}

async function running(): Promise<readonly (readonly [Job['id'] | undefined, string])[]> {
  const live = await trial.needs.store.read.sessions.listLive()
  return live.flatMap(({ jobId, role, state }) => (state.type === 'starting' ? [[jobId, role]] : []))
}

describe('the place of a program that has ended', () => {
  it('goes to the next attempt of its task if the first one failed', async () => {
    const later = await planned('P2')
    const urgent = await planned('P0')
    await settle(await endProgram(later, { type: 'exited', code: 0 }))
    await settle(await endProgram(urgent))
    expect(await running()).toEqual([[urgent.id, 'worker']])
    expect(await taskOf(urgent)).toMatchObject({ retryCount: 1, state: { type: 'running' } })
  })

  it('goes to more important work at once', async () => {
    const later = await planned('P2')
    const urgent = await planned('P0')
    await endProgram(later)
    expect(await running()).toEqual([[urgent.id, 'worker']])
  })

  it('goes to others if its attempt is not settled in time', async () => {
    const stuck = await planned('P0')
    const other = await planned('P2')
    const { endedAt } = await endProgram(stuck)
    const until = new Date((endedAt?.getTime() ?? 0) + SESSION_LIMITS.keptPlaceMs)
    expect(trial.alarms.at(-1)).toEqual({ at: until, work: { type: 'admission-wake' } })
    trial.now = until
    await wakeWaiting(needs())
    await work()
    expect(await running()).toEqual([[other.id, 'worker']])
  })

  it('goes to others if its job is cancelled or cannot be advanced', async () => {
    const urgent = await planned('P0')
    const other = await planned('P2')
    await endProgram(urgent)
    await cancelJob(trial.needs, urgent.id, 'enough')
    await work()
    expect(await running()).toEqual([[other.id, 'worker']])
    const last = await planned('P2')
    await endProgram(other)
    trial.needs.settings.stalledJobs.add(other.id)
    await wakeWaiting(needs())
    await work()
    expect(await running()).toEqual([[last.id, 'worker']])
  })
})
