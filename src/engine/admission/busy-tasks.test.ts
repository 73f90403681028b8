import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleChange } from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, planTasks, settleAll } from '../../../test/support/job-trial.ts'
import type { JobId, RunId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TaskState } from '../../domain/task/task-state.ts'
import { advanceJob } from '../jobs/advance-job.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { storeEnd } from '../sessions/end/end-session.ts'

let trial: JobTrial

beforeAll(async () => {
  trial = await openJobTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

beforeEach(async () => {
  for (const { id } of await trial.needs.store.read.jobs.listOpen()) {
    await cancelJob(trial.needs, id, 'the test has ended')
    await settleAll(trial.needs.store, id)
  }
})

/** A job that works on this many tasks at once, in its execution phase. */
async function planned(maxParallelTasks: number, tasks: readonly Partial<Task>[]): Promise<Job> {
  const job = await trial.start({ maxParallelTasks })
  await advanceJob(trial.needs, job.id)
  await settleAll(trial.needs.store, job.id)
  await planTasks(trial.needs.store, job, tasks)
  await advanceJob(trial.needs, job.id)
  return job
}

const statesOf = async ({ id }: Job): Promise<readonly TaskState[]> =>
  (await trial.needs.store.read.tasks.listOfJob(id)).map(({ state }) => state)
const typesOf = async (job: Job) => (await statesOf(job)).map(({ type }) => type)
const waitingOf = (state: TaskState | undefined) => (state?.type === 'pending' ? state.waiting : undefined)

async function workerOf(jobId: JobId): Promise<Session> {
  const [session] = await trial.needs.store.read.sessions.listLive(jobId)
  if (session === undefined) throw new Error('nothing runs')
  return session
}

describe('the tasks that a job works on at once', () => {
  const inRun: TaskState = { type: 'running', runId: 'run_1' as RunId }

  it('include a task whose run has no session', async () => {
    const job = await planned(2, [{ state: inRun }, {}, {}])
    expect(await typesOf(job)).toEqual(['running', 'running', 'pending'])
    expect(waitingOf((await statesOf(job))[2])).toMatchObject({ limit: 'phase', value: 2, inUse: 2 })
  })

  it('include a run of a task that must run alone', async () => {
    const job = await planned(2, [{ state: inRun, parallel: false }, {}])
    expect(waitingOf((await statesOf(job))[1])).toMatchObject({ limit: 'phase', alone: 'running' })
  })

  it('include a task whose worker is suspended', async () => {
    const job = await planned(1, [{}, {}])
    const state = { type: 'suspended', why: { type: 'asked', reason: 'lunch' }, hasExited: true } as const
    const session = { ...(await workerOf(job.id)), state }
    await trial.needs.store.transact((records) => records.sessions.save(session, exampleChange()))
    await advanceJob(trial.needs, job.id)
    expect(await typesOf(job)).toEqual(['running', 'pending'])
  })

  it('do not include a task whose program has ended, even before its work is settled', async () => {
    const job = await planned(1, [{}, {}])
    const session = await workerOf(job.id)
    const end = { type: 'terminated', end: { type: 'exited', code: 0 } } as const
    await trial.needs.store.transact((records) => storeEnd(trial.needs, records, session, end))
    await advanceJob(trial.needs, job.id)
    expect(await typesOf(job)).toEqual(['running', 'running'])
  })
})
