import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange } from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, settleAll } from '../../../test/support/job-trial.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TaskState } from '../../domain/task/task-state.ts'
import { advanceJob } from './advance-job.ts'
import { editDocument } from './job-documents.ts'
import { startPendingJob } from './start-job.ts'
import { updateCycle } from './update-cycle.ts'

const GOAL = 'Grow a tree\n\n- with leaves\n- with roots\n'
const PLAYBOOK = { name: 'solo', hash: 'a'.repeat(64) }

let trial: JobTrial

beforeAll(async () => {
  trial = await openJobTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

/** A job whose goal a run of a playbook works on. */
async function pendingJob(): Promise<Job> {
  const job = await trial.start({ requestDocument: GOAL, autoStart: false })
  const { planner: _, ...plan } = job.plan
  const approach = { type: 'run', playbook: PLAYBOOK, inputs: { tests: true }, cast: {} } as const
  return await trial.needs.store.transact((records) =>
    records.jobs.save({ ...job, plan: { ...plan, approach } }, exampleChange()),
  )
}

async function startedJob(): Promise<Job> {
  const { id } = await pendingJob()
  const started = await startPendingJob(trial.needs, id)
  if (!started.ok) throw new Error(started.failure.type)
  return started.value
}

const cyclesOf = (job: Job) => trial.needs.store.read.cycles.listOf(job.id)
const tasksOf = (job: Job) => trial.needs.store.read.tasks.listOfJob(job.id)

/** Ends the job's task, and with it the cycle, as a run would. */
async function endTask(job: Job, state: TaskState): Promise<void> {
  const { needs } = trial
  await settleAll(needs.store, job.id)
  const [task] = (await tasksOf(job)) as [Task]
  await needs.store.transact((records) => records.tasks.save({ ...task, state }, exampleChange()))
  await advanceJob(needs, job.id)
  await advanceJob(needs, job.id)
  const [cycle] = await cyclesOf(job)
  if (cycle !== undefined) await updateCycle(needs, cycle.id)
  await advanceJob(needs, job.id)
}

describe('a job without a planner', () => {
  it('opens its cycle with its goal as the only task', async () => {
    const job = await startedJob()
    expect(job.currentCycle).toBe(1)
    expect(await cyclesOf(job)).toMatchObject([{ number: 1, phase: 'execution', tasksDiscovered: 1 }])
    expect(await tasksOf(job)).toMatchObject([
      {
        description: GOAL.trim(),
        origin: { type: 'given' },
        playbook: { ...PLAYBOOK, inputs: { tests: true } },
        clauses: [1, 2],
      },
    ])
    const types = (await trial.eventsOf(job.id)).map(({ type }) => type)
    expect(types.filter((type) => type.startsWith('cycle'))).toEqual(['cycle_started', 'cycle_phase'])
  })

  it('uses the goal as last edited before it starts', async () => {
    const { id } = await pendingJob()
    await editDocument(trial.needs, id, 'goal', 'Grow a bush')
    await startPendingJob(trial.needs, id)
    expect(await tasksOf(await trial.job(id))).toMatchObject([{ description: 'Grow a bush' }])
  })

  it('completes with its task', async () => {
    const job = await startedJob()
    await endTask(job, { type: 'completed', commit: job.baseCommit })
    expect(await trial.job(job.id)).toMatchObject({
      state: { type: 'completed', reason: 'task-completed' },
      summary: '1 of 1 tasks landed in 1 cycle: task-completed',
    })
  })

  it('ends with its task if that is blocked, even if its goal was edited', async () => {
    const job = await startedJob()
    await editDocument(trial.needs, job.id, 'goal', 'Grow a bush')
    await endTask(job, { type: 'blocked', reason: 'no soil', paths: [] })
    expect((await trial.job(job.id)).state).toMatchObject({ type: 'completed', reason: 'task-blocked' })
    expect(await cyclesOf(job)).toHaveLength(1)
  })
})
