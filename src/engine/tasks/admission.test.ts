import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type JobTrial, openJobTrial, planTasks, settleAll } from '../../../test/support/job-trial.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Task } from '../../domain/task/task.ts'
import { advanceJob } from '../jobs/advance-job.ts'

let trial: JobTrial
let usual: JobTrial['configuration']

beforeAll(async () => {
  trial = await openJobTrial()
  usual = trial.configuration
})

afterAll(() => trial[Symbol.asyncDispose]())

beforeEach(async () => {
  trial.configuration = usual
  trial.freeMemoryMb = 1_000_000
  for (const job of await trial.needs.store.read.jobs.listOpen()) await settleAll(trial.needs.store, job.id)
})

async function planned(tasks: readonly Partial<Task>[]): Promise<Job> {
  const job = await trial.start({ maxParallelTasks: 8 })
  await advanceJob(trial.needs, job.id)
  await settleAll(trial.needs.store, job.id)
  await planTasks(trial.needs.store, job, tasks)
  await advanceJob(trial.needs, job.id)
  return job
}

const count = async (job: Job) => (await trial.needs.store.read.sessions.listLive(job.id)).length
const three = [{}, {}, {}]

function limited(limits: Partial<JobTrial['configuration']>): void {
  trial.configuration = { ...usual, ...limits }
}

describe('admission', () => {
  it('counts the sessions of an agent over all jobs', async () => {
    const agents = usual.agents.map((agent) => ({ ...agent, maxParallel: 2 }))
    limited({ agents })
    const first = await planned([{}])
    const second = await planned(three)
    expect([await count(first), await count(second)]).toEqual([1, 1])
    await settleAll(trial.needs.store, first.id)
    await advanceJob(trial.needs, second.id)
    expect(await count(second)).toBe(2)
  })

  it('keeps to the limit of a role, for planners too', async () => {
    limited({ roles: { worker: { agents: [], maxParallel: 2 }, planner: { agents: [], maxParallel: 1 } } })
    const job = await planned(three)
    expect(await count(job)).toBe(2)
    const [one, other] = [await trial.start(), await trial.start()]
    for (const { id } of [one, other]) await advanceJob(trial.needs, id)
    expect([await count(one), await count(other)]).toEqual([1, 0])
  })

  it('starts one thing at a time where memory is short', async () => {
    limited({ limits: { memoryFloorMb: 512 } })
    trial.freeMemoryMb = 511
    const job = await planned(three)
    expect(await count(job)).toBe(1)
    trial.freeMemoryMb = 512
    await advanceJob(trial.needs, job.id)
    expect(await count(job)).toBe(3)
  })

  it('begins a revision at the work that is revised, and counts only the tries of workers', async () => {
    const startFrom = 'b'.repeat(40)
    const job = await planned([{ startFrom }, {}])
    const { attempts, tasks } = trial.needs.store.read
    const [revised, fresh] = await tasks.listOfJob(job.id)
    if (revised === undefined || fresh === undefined) throw new Error('tasks are missing')
    expect(await attempts.listOfTask(revised.id)).toMatchObject([{ number: 1, baseCommit: startFrom }])
    expect(await attempts.listOfTask(fresh.id)).toMatchObject([{ number: 1, baseCommit: job.baseCommit }])
  })
})
