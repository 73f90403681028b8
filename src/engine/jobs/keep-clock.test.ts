import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange, ids } from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, settleAll } from '../../../test/support/job-trial.ts'
import type { BaseState } from '../../domain/job/base-state.ts'
import type { Job } from '../../domain/job/job.ts'
import { advanceJob } from './advance-job.ts'
import { pauseJob, resumeJob } from './control-job.ts'

const MINUTE = 60_000
const checked = { baselineId: ids.next('baseline'), fixCycles: 0 }

let trial: JobTrial

beforeAll(async () => {
  trial = await openJobTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

function pass(minutes: number): void {
  trial.now = new Date(trial.now.getTime() + minutes * MINUTE)
}

async function advanceWith(id: Job['id'], base: BaseState): Promise<Job> {
  await trial.needs.store.withJob(id, (records, job) => records.jobs.save({ ...job, base }, exampleChange()))
  await advanceJob(trial.needs, id)
  return await trial.job(id)
}

describe("a job's clock", () => {
  const asking: BaseState = { type: 'asking', since: new Date().toISOString(), ...checked }

  it('stands still while the job waits for a person, however long that takes', async () => {
    const { id } = await trial.start({ timeLimitMinutes: 10 })
    pass(3)
    const waiting = await advanceWith(id, asking)
    expect(waiting).toMatchObject({ activeMs: 3 * MINUTE, state: { type: 'running' } })
    expect(waiting.runningSince).toBeUndefined()
    pass(24 * 60)
    await advanceJob(trial.needs, id)
    expect(await trial.job(id)).toMatchObject({ version: waiting.version, activeMs: 3 * MINUTE })
    const decided = await advanceWith(id, { type: 'tolerated', ...checked })
    expect(decided).toMatchObject({ activeMs: 3 * MINUTE, runningSince: trial.now })
    expect(decided.state.type).toBe('running')
  })

  it('starts again after a pause, unless the job waits for a person', async () => {
    const { id } = await trial.start()
    await advanceJob(trial.needs, id)
    await settleAll(trial.needs.store, id)
    pass(1)
    await pauseJob(trial.needs, id)
    await advanceJob(trial.needs, id)
    pass(60)
    await resumeJob(trial.needs, id)
    const waiting = await advanceWith(id, asking)
    expect([waiting.activeMs, waiting.runningSince]).toEqual([MINUTE, undefined])
    await settleAll(trial.needs.store, id)
    await pauseJob(trial.needs, id)
    await advanceJob(trial.needs, id)
    expect((await trial.job(id)).state.type).toBe('paused')
    pass(60)
    await resumeJob(trial.needs, id)
    const resumed = await advanceWith(id, { type: 'tolerated', ...checked })
    expect(resumed).toMatchObject({ activeMs: MINUTE, runningSince: trial.now, state: { type: 'running' } })
  })
})
