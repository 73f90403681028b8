import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleChange,
  exampleLandingAction,
  exampleRun,
  exampleSession,
  exampleVisit,
  ids,
} from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, planTasks, settleAll } from '../../../test/support/job-trial.ts'
import type { Approval } from '../../domain/approval/approval.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Run } from '../../domain/run/run.ts'
import type { VisitState } from '../../domain/run/visit.ts'
import type { SessionPurpose } from '../../domain/session/session-purpose.ts'
import type { Task } from '../../domain/task/task.ts'
import { advanceJob } from './advance-job.ts'
import { cancelJob } from './cancel-job.ts'
import { endJob, failJob } from './end-job.ts'

let trial: JobTrial

beforeAll(async () => {
  trial = await openJobTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

async function executing(count: number): Promise<{ readonly job: Job; readonly tasks: readonly Task[] }> {
  const { needs } = trial
  const { id } = await trial.start({ maxParallelTasks: 1 })
  await advanceJob(needs, id)
  await settleAll(needs.store, id)
  await planTasks(needs.store, await trial.job(id), Array(count).fill({}))
  return { job: await trial.job(id), tasks: await needs.store.read.tasks.listOfJob(id) }
}

const fail = ({ id }: Job) =>
  trial.needs.store.withJob(id, (records, job) => failJob(trial.needs, records, job, 'no more disk'))

const complete = ({ id }: Job) =>
  trial.needs.store.withJob(id, (records, job) =>
    endJob(trial.needs, records, job, { reason: 'nothing-left', evidence: [] }),
  )

const check: SessionPurpose = {
  type: 'check',
  candidateId: ids.next('candidate'),
  index: 0,
  command: 'npm test',
  isFresh: true,
}

const query: SessionPurpose = {
  type: 'query',
  of: ids.next('session'),
  question: 'why?',
  agent: { name: 'will', provider: 'command', roles: [], env: [] },
  timeMs: 10_000,
}

async function open(job: Job, purpose: SessionPurpose) {
  const session = exampleSession(job, { purpose })
  await trial.needs.store.transact((records) => records.sessions.insert(session, exampleChange()))
  return async () => (await trial.needs.store.read.sessions.find(session.id))?.state.type
}

/** Stores an approval request of a run. */
async function ask(job: Job): Promise<Approval> {
  const approval: Approval = {
    id: ids.next('approval'),
    jobId: job.id,
    asker: { type: 'candidate', candidateId: ids.next('candidate') },
    digest: 'd'.repeat(64),
    action: exampleLandingAction(),
    state: { type: 'pending' },
    version: 1,
    createdAt: trial.now,
    expiresAt: new Date(trial.now.getTime() + 3_600_000),
  }
  return await trial.needs.store.transact((records) => records.approvals.insert(approval, exampleChange()))
}

/** Stores a run of the task with one visit in each of these states. */
async function openRun(task: Task, states: readonly VisitState[], state: Run['state']): Promise<Run> {
  const run = exampleRun(task, { state })
  const visits = states.map((of, index) =>
    exampleVisit({ id: ids.next('visit'), runId: run.id, ordinal: index + 1, state: of }),
  )
  await trial.needs.store.transact(async (records) => {
    await records.runs.insert(run, exampleChange())
    await records.visits.insertAll(visits, exampleChange())
    await records.tasks.save({ ...task, state: { type: 'running', runId: run.id } }, exampleChange())
  })
  return run
}

const statesOf = async (job: Job) =>
  (await trial.needs.store.read.tasks.listOfJob(job.id)).map(({ state }) => state)

describe('a job that fails', () => {
  it('skips its unfinished tasks with the reason', async () => {
    const { job, tasks } = await executing(3)
    await trial.needs.store.transact((records) =>
      records.tasks.save({ ...(tasks[0] as Task), state: { type: 'completed' } }, exampleChange()),
    )
    await advanceJob(trial.needs, job.id)
    expect((await statesOf(job)).map(({ type }) => type)).toEqual(['completed', 'running', 'pending'])
    await fail(job)
    const skipped = { type: 'skipped', reason: 'the job ended with an error' }
    expect(await statesOf(job)).toEqual([{ type: 'completed' }, skipped, skipped])
  })

  it('stops its agents and checks, but not the answer to a question', async () => {
    const { job } = await executing(1)
    await advanceJob(trial.needs, job.id)
    const [attempt] = await trial.needs.store.read.sessions.listLive(job.id)
    const states = [await open(job, check), await open(job, query)]
    await fail(job)
    expect(await Promise.all(states.map((state) => state()))).toEqual(['terminating', 'running'])
    const stopped = attempt === undefined ? undefined : await trial.needs.store.read.sessions.find(attempt.id)
    expect(stopped?.state).toMatchObject({ type: 'terminating', why: { type: 'cancelled' } })
  })
})

describe('a job that is cancelled', () => {
  it('stops the answer to a question too', async () => {
    const { job } = await executing(1)
    const state = await open(job, query)
    await cancelJob(trial.needs, job.id)
    expect(await state()).toBe('terminating')
  })
})

describe('a job that completes', () => {
  it('lets a question be answered', async () => {
    const { job } = await executing(0)
    const state = await open(job, query)
    await complete(job)
    expect([(await trial.job(job.id)).state.type, await state()]).toEqual(['completed', 'running'])
  })
})

describe('the runs of a job that ends', () => {
  const ends = { cancelled: (job: Job) => cancelJob(trial.needs, job.id), failed: fail, completed: complete }

  it.each(Object.entries(ends))('are cancelled if it is %s, and ask nothing any more', async (_, end) => {
    const { job, tasks } = await executing(2)
    const { read } = trial.needs.store
    const [gate, last] = [await ask(job), await ask(job)]
    const settled = { type: 'settled', outcome: 'done' } as const
    const asking = { type: 'asking', approvalId: gate.id } as const
    const first = await openRun(tasks[0] as Task, [settled, asking, { type: 'waiting' }], {
      type: 'running',
    })
    const second = await openRun(tasks[1] as Task, [settled], {
      type: 'asking',
      end: 'partial',
      work: ids.next('visit'),
      approvalId: last.id,
      reason: 'the loop ended',
    })
    await end(job)
    for (const { id } of [first, second]) {
      expect(await read.runs.find(id)).toMatchObject({ state: { type: 'cancelled' }, endedAt: trial.now })
    }
    const visits = await read.visits.listOfRun(first.id)
    expect(visits.map(({ state }) => state.type)).toEqual(['settled', 'cancelled', 'cancelled'])
    for (const { id } of [gate, last]) expect((await read.approvals.find(id))?.state.type).toBe('void')
    expect((await statesOf(job)).map(({ type }) => type)).toEqual(['skipped', 'skipped'])
  })
})
