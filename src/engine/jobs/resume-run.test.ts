import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange } from '../../../test/support/example-records.ts'
import { settleAll } from '../../../test/support/job-trial.ts'
import { developing, openRunTrial, type RunTrial } from '../../../test/support/run-trial.ts'
import { take } from '../../../test/support/take.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Run } from '../../domain/run/run.ts'
import { advanceJob } from './advance-job.ts'
import { cancelJob } from './cancel-job.ts'
import { cancelRun } from './cancel-run.ts'
import { resumeRun } from './resume-run.ts'

let trial: RunTrial

beforeAll(async () => {
  trial = await openRunTrial()
  const stages = { implement: developing({ done: 'end.land', failed: 'end.failed' }) }
  await trial.write('inner', { start: 'implement', stages })
})

afterAll(() => trial[Symbol.asyncDispose]())

/** A run that a person stopped, together with the job that only followed it. */
async function stopped(): Promise<Run> {
  const { job, run } = await trial.follow('inner')
  await cancelRun(trial.jobs.needs, run.id, { isForced: false })
  await settleAll(trial.jobs.needs.store, job.id)
  return run
}

/** A run that a person stopped in a job that goes on with the tasks of its planner. */
async function stoppedTask(): Promise<{ readonly job: Job; readonly run: Run }> {
  const { job, run } = await trial.follow('inner')
  const { store } = trial.jobs.needs
  const { approach: _, ...plan } = job.plan
  const [cycle] = await store.read.cycles.listOf(job.id)
  if (cycle === undefined) throw new Error('there is no cycle')
  await store.transact(async (records) => {
    await records.jobs.save({ ...job, plan: { ...plan, planner: 'pia' } }, exampleChange())
    await records.cycles.save({ ...cycle, phase: 'execution' }, exampleChange())
  })
  await cancelRun(trial.jobs.needs, run.id, { isForced: false })
  await settleAll(store, job.id)
  return { job, run }
}

/** Stops a job after its run has started. */
async function stop({ id }: Job): Promise<void> {
  const { needs } = trial.jobs
  await advanceJob(needs, id)
  take(await cancelJob(needs, id))
  await settleAll(needs.store, id)
}

const resume = async (run: Run, key?: string) => take(await resumeRun(trial.jobs.needs, run.id, key))
const jobsAfter = ({ jobId }: Run) => trial.jobs.needs.store.read.runs.listForks(jobId)

describe('resuming a run', () => {
  it('starts one job if two people resume it at once', async () => {
    const run = await stopped()
    const both = await Promise.all([resume(run, 'one'), resume(run, 'other')])
    expect(new Set(both.map(({ id }) => id)).size).toBe(1)
    expect(await jobsAfter(run)).toHaveLength(1)
  })

  it('starts one run if two people resume it at once in a job that goes on', async () => {
    const { job, run } = await stoppedTask()
    const both = await Promise.all([resume(run), resume(run)])
    expect(both.map(({ id }) => id)).toEqual([job.id, job.id])
    expect(await trial.jobs.needs.store.read.runs.listOfJob(job.id)).toHaveLength(2)
    expect((await resume(run)).id).toBe(job.id)
  })

  it('returns the job of an earlier request with the same key, whatever became of that job', async () => {
    const run = await stopped()
    await stop(await resume(run))
    const again = await resume(run, 'a key')
    await stop(again)
    expect((await resume(run, 'a key')).id).toBe(again.id)
  })
})
