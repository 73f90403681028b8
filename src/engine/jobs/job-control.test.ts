import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exampleAttempt,
  exampleChange,
  exampleLandingAction,
  ids,
} from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, planTasks, settleAll } from '../../../test/support/job-trial.ts'
import type { Approval } from '../../domain/approval/approval.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { CandidateState } from '../../domain/landing/candidate-state.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import type { Task } from '../../domain/task/task.ts'
import { advanceJob } from './advance-job.ts'
import { cancelJob } from './cancel-job.ts'
import { pauseJob, resumeJob } from './control-job.ts'
import { startJob } from './start-job.ts'

let trial: JobTrial

beforeAll(async () => {
  trial = await openJobTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

async function executing(tasks: readonly Partial<Task>[]): Promise<Job> {
  const job = await trial.start({ maxParallelTasks: 1 })
  await advanceJob(trial.needs, job.id)
  await settleAll(trial.needs.store, job.id)
  await planTasks(trial.needs.store, job, tasks)
  return trial.job(job.id)
}

const tasksOf = (job: Job) => trial.needs.store.read.tasks.listOfJob(job.id)
const statesOf = async (job: Job) => (await tasksOf(job)).map(({ state }) => state.type)

/** Stores a task's work in the merge queue, as part of a candidate in this state. */
async function putInQueue(job: Job, task: Task, state: (approval: Approval) => CandidateState) {
  const { store, clock } = trial.needs
  const now = clock.now()
  const attemptId = ids.next('attempt')
  const candidateId = ids.next('candidate')
  const approval: Approval = {
    id: ids.next('approval'),
    jobId: job.id,
    asker: { type: 'candidate', candidateId },
    digest: 'd'.repeat(64),
    action: exampleLandingAction(),
    state: { type: 'pending' },
    version: 1,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  }
  const landing: Landing = {
    id: ids.next('landing'),
    jobId: job.id,
    taskId: task.id,
    attemptId,
    branch: job.workingBranch,
    tip: 'a'.repeat(40),
    state: { type: 'checking', candidateId },
    checks: [],
    batchLimit: 8,
    version: 1,
    createdAt: now,
  }
  const candidate: Candidate = {
    id: candidateId,
    jobId: job.id,
    branch: job.workingBranch,
    purpose: { type: 'landings', landingIds: [landing.id] },
    onto: ids.next('candidate'),
    commit: 'b'.repeat(40),
    tree: 'c'.repeat(40),
    state: state(approval),
    checks: [],
    version: 1,
    createdAt: now,
  }
  await store.transact(async (records) => {
    const attempt = exampleAttempt(job, { id: attemptId, purpose: { type: 'task', taskId: task.id } })
    await records.attempts.insert(attempt, exampleChange())
    await records.landings.insert(landing, exampleChange())
    await records.candidates.insert(candidate, exampleChange())
    await records.approvals.insert(approval, exampleChange())
    await records.tasks.save({ ...task, state: { type: 'landing', landingId: landing.id } }, exampleChange())
  })
  return { approval, landing, candidate }
}

const asking = ({ id }: Approval): CandidateState => ({ type: 'asking', approvalId: id })

async function firstTask(job: Job): Promise<Task> {
  const [task] = await tasksOf(job)
  if (task === undefined) throw new Error('there is no task')
  return task
}

describe('cancelling a job', () => {
  it('skips its tasks in every state, stops its sessions, and withdraws its approval requests', async () => {
    const job = await executing([{}, {}, {}])
    const { approval, landing, candidate } = await putInQueue(job, await firstTask(job), asking)
    await advanceJob(trial.needs, job.id)
    expect(await statesOf(job)).toEqual(['landing', 'running', 'pending'])
    expect(await cancelJob(trial.needs, job.id, 'enough')).toMatchObject({
      ok: true,
      value: { state: { type: 'cancelled', reason: 'enough' } },
    })
    const { read } = trial.needs.store
    expect(await statesOf(job)).toEqual(['skipped', 'skipped', 'skipped'])
    expect((await read.sessions.listLive(job.id)).map(({ state }) => state.type)).toEqual(['terminating'])
    expect((await read.approvals.find(approval.id))?.state.type).toBe('void')
    expect((await read.candidates.find(candidate.id))?.state.type).toBe('dropped')
    expect((await read.landings.find(landing.id))?.state).toEqual({ type: 'rejected', reason: 'enough' })
    expect((await cancelJob(trial.needs, job.id, 'again')).ok).toBe(false)
  })

  it('leaves work that may have landed to the merge queue', async () => {
    const job = await executing([{}])
    const { landing } = await putInQueue(job, await firstTask(job), () => ({ type: 'passed' }))
    await cancelJob(trial.needs, job.id, 'enough')
    expect(await statesOf(job)).toEqual(['landing'])
    expect((await trial.needs.store.read.landings.find(landing.id))?.state.type).toBe('checking')
  })
})

describe('pausing a job', () => {
  it('waits for checks, but not for a person who must approve a landing', async () => {
    const job = await executing([{}, {}])
    const checking = {
      type: 'checking',
      checkIndex: 0,
      sessionId: ids.next('session'),
      suspects: [],
      lost: 0,
    } as const
    const { candidate } = await putInQueue(job, await firstTask(job), () => checking)
    await pauseJob(trial.needs, job.id)
    await advanceJob(trial.needs, job.id)
    expect((await trial.job(job.id)).state).toEqual({ type: 'running', pausing: true })
    const state = { type: 'asking', approvalId: ids.next('approval') } as const
    await trial.needs.store.transact((records) =>
      records.candidates.save({ ...candidate, state }, exampleChange()),
    )
    await advanceJob(trial.needs, job.id)
    expect((await trial.job(job.id)).state.type).toBe('paused')
    expect(await statesOf(job)).toEqual(['landing', 'pending'])
    await resumeJob(trial.needs, job.id)
    await advanceJob(trial.needs, job.id)
    expect(await statesOf(job)).toEqual(['landing', 'running'])
    expect((await trial.needs.store.read.cycles.listOf(job.id)).map(({ phase }) => phase)).toEqual([
      'execution',
    ])
  })
})

describe('resuming a job', () => {
  it('is an event only if the job was paused', async () => {
    const job = await executing([{}])
    const pauses = async () =>
      (await trial.eventsOf(job.id)).map(({ type }) => type).filter((type) => /paused|resumed/.test(type))
    await pauseJob(trial.needs, job.id)
    expect((await resumeJob(trial.needs, job.id)).ok).toBe(true)
    expect(await pauses()).toEqual([])
    await pauseJob(trial.needs, job.id)
    await advanceJob(trial.needs, job.id)
    expect((await resumeJob(trial.needs, job.id)).ok).toBe(true)
    expect(await pauses()).toEqual(['job_paused', 'job_resumed'])
  })
})

describe('pausing a job that merges its moved base', () => {
  it('waits for the check of the merge', async () => {
    const job = await executing([{}])
    const { store } = trial.needs
    const checking = {
      type: 'checking',
      checkIndex: 0,
      sessionId: ids.next('session'),
      suspects: [],
      lost: 0,
    } as const
    const candidate: Candidate = {
      id: ids.next('candidate'),
      jobId: job.id,
      branch: job.workingBranch,
      purpose: { type: 'base', commit: 'a'.repeat(40) },
      onto: job.baseCommit,
      commit: 'b'.repeat(40),
      tree: 'c'.repeat(40),
      state: checking,
      checks: [],
      version: 1,
      createdAt: trial.now,
    }
    await store.transact((records) => records.candidates.insert(candidate, exampleChange()))
    await pauseJob(trial.needs, job.id)
    await advanceJob(trial.needs, job.id)
    expect((await trial.job(job.id)).state).toEqual({ type: 'running', pausing: true })
    await store.transact((records) =>
      records.candidates.save({ ...candidate, state: { type: 'landed' } }, exampleChange()),
    )
    await advanceJob(trial.needs, job.id)
    expect((await trial.job(job.id)).state.type).toBe('paused')
  })
})

describe('starting a job', () => {
  it('refuses a requested agent that does not have the role, unless it is bound to it', async () => {
    const usual = trial.configuration
    const goal = { repositoryPath: trial.repositoryPath, requestDocument: 'Grow a tree', autoStart: false }
    const unfit = { type: 'agent-unfit', agent: 'will', role: 'planner', roles: ['worker'] }
    expect(await startJob(trial.needs, { ...goal, planner: 'will' })).toEqual({ ok: false, failure: unfit })
    expect(await startJob(trial.needs, { ...goal, agent: 'pia' })).toMatchObject({
      failure: { type: 'agent-unfit', agent: 'pia', role: 'worker' },
    })
    expect((await startJob(trial.needs, { ...goal, agent: 'will', planner: 'pia' })).ok).toBe(true)
    trial.configuration = { ...usual, roles: { planner: { agents: ['will'] } } }
    expect((await startJob(trial.needs, { ...goal, planner: 'will' })).ok).toBe(true)
    trial.configuration = usual
  })

  it('warns about files to copy that do not exist', async () => {
    const usual = trial.configuration
    trial.configuration = { ...usual, copy: ['.git', '.env', 'config/local.json'] }
    const job = await trial.start()
    trial.configuration = usual
    const [started] = (await trial.eventsOf(job.id)).filter(({ type }) => type === 'job_started')
    expect(started?.data).toMatchObject({
      warnings: ['not copied because your checkout does not have them: .env, config/local.json'],
    })
  })

  const start = (mode: 'auto' | 'review' | 'approve') =>
    startJob(trial.needs, {
      repositoryPath: trial.repositoryPath,
      requestDocument: 'Grow a tree',
      autoStart: false,
      mode,
    })

  it('needs a reviewer in mode review, and uses a bound reviewer in mode approve', async () => {
    const usual = trial.configuration
    expect(await start('review')).toMatchObject({ failure: { type: 'agent-absent', role: 'reviewer' } })
    const rita = { name: 'rita', provider: 'command', roles: ['reviewer'], env: [] }
    trial.configuration = { ...usual, agents: [...usual.agents, rita] }
    const plans = []
    for (const mode of ['auto', 'review', 'approve'] as const) plans.push(await start(mode))
    trial.configuration = { ...trial.configuration, roles: { reviewer: { agents: ['rita'] } } }
    plans.push(await start('approve'))
    trial.configuration = usual
    expect(plans.map((plan) => plan.ok && plan.value.plan.reviewer)).toEqual([
      undefined,
      'rita',
      undefined,
      'rita',
    ])
    expect(plans.map((plan) => plan.ok && plan.value.plan.mode)).toEqual([
      'auto',
      'review',
      'approve',
      'approve',
    ])
  })

  it('prefers the request to the configuration, and the configuration to the defaults', async () => {
    const usual = trial.configuration
    trial.configuration = {
      ...usual,
      mode: 'approve',
      setup: ['make'],
      roles: { worker: { agents: [], maxParallel: 2 }, tester: { agents: ['will'], models: ['m'] } },
      limits: { budgetUsd: 3, dailyUsd: 9, maxAttempts: 5, memoryFloorMb: 256 },
    }
    const { plan, userId } = await trial.start({ budgetUsd: 1, user: 'ada', autoStart: false })
    trial.configuration = usual
    expect(userId).toBe('ada')
    expect(plan).toMatchObject({
      mode: 'approve',
      setup: ['make'],
      roles: {
        worker: { agents: [], maxParallel: 2 },
        tester: { agents: ['will'], models: ['m'] },
      },
      limits: { budgetUsd: 1, dailyUsd: 9, maxAttempts: 5, memoryFloorMb: 256, maxCycles: 20 },
    })
  })
})

describe('a job that is out of time', () => {
  it('ends the agents that wait to start, in discovery too', async () => {
    const job = await trial.start({ timeLimitMinutes: 1 })
    await advanceJob(trial.needs, job.id)
    const before = await trial.needs.store.read.sessions.listLive(job.id)
    expect(before.map(({ state }) => state.type)).toEqual(['starting'])
    trial.now = new Date(trial.now.getTime() + 2 * 60_000)
    await advanceJob(trial.needs, job.id)
    const after = await trial.needs.store.read.sessions.listLive(job.id)
    expect(after.map(({ state }) => state)).toMatchObject([
      { type: 'terminating', why: { type: 'timed-out' } },
    ])
  })
})
