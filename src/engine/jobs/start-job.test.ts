import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange, exampleCycle, exampleTask } from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, settleAll } from '../../../test/support/job-trial.ts'
import { SecretSet } from '../../domain/redaction/redact.ts'
import { secretOf } from '../../domain/redaction/secret.ts'
import { advanceJob } from './advance-job.ts'
import { newTasks } from './new-tasks.ts'
import { startJob, startPendingJob } from './start-job.ts'

let trial: JobTrial

beforeAll(async () => {
  trial = await openJobTrial()
})

afterAll(() => trial[Symbol.asyncDispose]())

const request = () => ({
  repositoryPath: trial.repositoryPath,
  requestDocument: 'Grow a tree',
  workingBranch: 'grow',
  autoStart: true,
})

const phasesOf = async (jobId: Parameters<JobTrial['job']>[0]) =>
  (await trial.needs.store.read.cycles.listOf(jobId)).map(({ phase }) => phase)

describe('starting a job', () => {
  it('stores its first cycle and its planner in the same transaction', async () => {
    trial.sent.length = 0
    const job = await trial.start()
    expect(job).toMatchObject({ state: { type: 'running' }, currentCycle: 1 })
    expect(await phasesOf(job.id)).toEqual(['discovery'])
    const [planner] = await trial.needs.store.read.sessions.listLive(job.id)
    expect(planner).toMatchObject({ role: 'planner', state: { type: 'starting' } })
    expect(trial.sent).toEqual([
      { type: 'job-advance', jobId: job.id },
      { type: 'trees-warm', projectId: job.projectId },
      { type: 'session-start', sessionId: planner?.id },
    ])
  })

  it('creates the working branch in the work that follows, and starts no second planner', async () => {
    const job = await trial.start()
    const { branches, store } = trial.needs
    expect(await branches.tip(job.projectId, job.workingBranch)).toBeUndefined()
    await advanceJob(trial.needs, job.id)
    expect(await branches.tip(job.projectId, job.workingBranch)).toBe(job.baseCommit)
    expect(await store.read.sessions.listLive(job.id)).toHaveLength(1)
  })

  it('removes secrets from the goal before anything shortens it', async () => {
    const { redact } = new SecretSet([secretOf('KEY', 'sk-ant-api03-7hGkL29qZ')])
    const settings = { ...trial.needs.settings, redaction: { ...trial.needs.settings.redaction, redact } }
    const goal = 'Use sk-ant-api03-7hGkL29qZ'
    const job = await startJob(
      { ...trial.needs, settings },
      { ...request(), requestDocument: goal, workingBranch: 'use' },
    )
    expect(job).toMatchObject({ ok: true, value: { requestDocument: 'Use [redacted:KEY]' } })
  })

  it('lets all tasks, also its own, follow the shipped playbook `reviewed` in mode review', async () => {
    const { configuration } = trial
    const rita = { name: 'rita', provider: 'command', roles: ['reviewer'], env: [] }
    trial.configuration = { ...configuration, agents: [...configuration.agents, rita] }
    const job = await startJob(trial.needs, { ...request(), workingBranch: 'judged', mode: 'review' })
    trial.configuration = configuration
    if (!job.ok) throw new Error(job.failure.type)
    const { reviews, reviewer, taskPlaybook } = job.value.plan
    expect({ reviews, reviewer, taskPlaybook }).toMatchObject({
      reviews: { name: 'reviewed', inputs: {} },
      reviewer: 'rita',
      taskPlaybook: undefined,
    })
    const pinned = await trial.needs.store.read.pinnedPlaybooks.find(reviews?.hash ?? '')
    expect(pinned?.playbook.name).toBe('reviewed')
    const draft = {
      ...exampleTask(exampleCycle(job.value)),
      origin: { type: 'base', isSetup: false },
    } as const
    const [own] = newTasks(trial.needs, job.value, exampleCycle(job.value), [draft])
    expect(own?.playbook).toEqual(reviews)
  })

  describe('with a playbook', () => {
    const playbook = { name: 'solo', inputs: {} }

    it('is refused in mode review, because the playbook decides about reviews', async () => {
      const asked = { ...request(), workingBranch: 'solo', playbook, mode: 'review' } as const
      expect(await startJob(trial.needs, asked)).toEqual({
        ok: false,
        failure: { type: 'review-by-playbook' },
      })
    })

    it('says that mode review of the configuration has no effect', async () => {
      const { configuration } = trial
      trial.configuration = { ...configuration, mode: 'review' }
      const job = await startJob(trial.needs, { ...request(), workingBranch: 'solo', playbook })
      trial.configuration = configuration
      if (!job.ok) throw new Error(job.failure.type)
      expect(job.value.plan.mode).toBe('auto')
      const [started] = (await trial.eventsOf(job.value.id)).filter((event) => event.data['warnings'])
      expect(started?.data['warnings']).toEqual([
        'mode: review has no effect here, because the playbook decides about reviews',
      ])
    })
  })

  it('waits without a cycle while the planner may not start', async () => {
    trial.configuration = { ...trial.configuration, limits: { memoryFloorMb: 2_000_000 } }
    const job = await trial.start()
    trial.configuration = { ...trial.configuration, limits: {} }
    expect(job.state).toMatchObject({ type: 'running', waiting: { limit: 'memory' } })
    expect(await phasesOf(job.id)).toEqual([])
  })

  it('stores nothing if the daemon dies first, so the same request can start it', async () => {
    const dying = {
      ...trial.needs,
      crash: {
        reach: () => {
          throw new Error('died')
        },
      },
    }
    await expect(startJob(dying, request(), 'once')).rejects.toThrow('died')
    expect(await trial.needs.store.read.jobs.findByKey('once')).toBeUndefined()
    const job = await startJob(trial.needs, request(), 'once')
    expect(job).toMatchObject({ ok: true, value: { workingBranch: 'grow', currentCycle: 1 } })
    expect(await startJob(trial.needs, request(), 'once')).toEqual(job)
  })

  it('starts from uncommitted changes only if asked, and not on another branch', async () => {
    const { repositoryPath } = trial
    const draft = join(repositoryPath, 'draft.txt')
    const start = (rest = {}) =>
      startJob(trial.needs, {
        repositoryPath,
        requestDocument: 'Grow a tree',
        autoStart: false,
        includeUncommitted: true,
        ...rest,
      })
    const clean = await start()
    const head = clean.ok ? clean.value.baseCommit : ''
    expect(clean.ok && clean.value.plan).not.toHaveProperty('snapshot')
    writeFileSync(draft, 'draft\n')
    expect(await start({ includeUncommitted: false })).toMatchObject({ value: { baseCommit: head } })
    const started = await start()
    expect(started).toMatchObject({
      value: {
        baseCommit: expect.not.stringContaining(head),
        plan: { snapshot: { head, files: ['draft.txt'] } },
      },
    })
    execFileSync('git', ['branch', 'older', 'HEAD'], { cwd: repositoryPath })
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'on'],
      {
        cwd: repositoryPath,
      },
    )
    expect(await start({ baseBranch: 'older' })).toMatchObject({ failure: { type: 'uncommitted-elsewhere' } })
    rmSync(draft)
  })

  it('works once for a job that was created with autoStart false', async () => {
    const job = await trial.start({ autoStart: false })
    expect(await phasesOf(job.id)).toEqual([])
    expect(await startPendingJob(trial.needs, job.id)).toMatchObject({ ok: true, value: { currentCycle: 1 } })
    expect(await phasesOf(job.id)).toEqual(['discovery'])
    expect((await startPendingJob(trial.needs, job.id)).ok).toBe(false)
  })

  it('is refused if the model of its planner, worker or reviewer is not bound to the role', async () => {
    const usual = trial.configuration
    const rita = { name: 'rita', provider: 'command', roles: ['reviewer'], env: [] }
    const agents = [...usual.agents, rita].map((agent) => ({ ...agent, model: 'haiku' }))
    const failures = []
    for (const role of ['planner', 'worker', 'reviewer']) {
      trial.configuration = { ...usual, agents, roles: { [role]: { agents: [], models: ['opus'] } } }
      const started = await startJob(trial.needs, { ...request(), mode: 'review', workingBranch: role })
      failures.push(started.ok ? undefined : started.failure)
    }
    trial.configuration = usual
    const unbound = { type: 'model-unbound', model: 'haiku', models: ['opus'] }
    expect(failures).toEqual([
      { ...unbound, agent: 'pia', role: 'planner' },
      { ...unbound, agent: 'will', role: 'worker' },
      { ...unbound, agent: 'rita', role: 'reviewer' },
    ])
  })

  it('takes the first agent whose model is bound to the role', async () => {
    const usual = trial.configuration
    const wanda = { name: 'wanda', provider: 'command', roles: ['worker'], env: [], model: 'opus' }
    trial.configuration = {
      ...usual,
      agents: [...usual.agents, wanda],
      roles: { worker: { agents: ['will', 'wanda'], models: ['opus'] } },
    }
    const job = await trial.start()
    trial.configuration = usual
    expect(job.plan.worker).toBe('wanda')
  })

  it('ends a running job whose agent can never take its role, rather than let it wait', async () => {
    const job = await trial.start()
    const roles = { worker: { agents: ['will'], models: ['opus'] } }
    await trial.needs.store.withJob(job.id, (records, stored) =>
      records.jobs.save({ ...stored, plan: { ...stored.plan, roles } }, exampleChange()),
    )
    await advanceJob(trial.needs, job.id)
    expect((await trial.job(job.id)).state).toEqual({
      type: 'error',
      error: "the worker will can never start: its agent's model isn't bound to this role",
    })
    const sessions = await trial.needs.store.read.sessions.listOfJob(job.id)
    expect(sessions.map(({ state }) => state.type)).toEqual(['terminating'])
  })

  it('ends a job whose planner is missing, before another attempt is stored', async () => {
    const { store } = trial.needs
    const job = await trial.start()
    await settleAll(store, job.id)
    await store.withJob(job.id, (records, stored) =>
      records.jobs.save({ ...stored, plan: { ...stored.plan, planner: 'nobody' } }, exampleChange()),
    )
    await advanceJob(trial.needs, job.id)
    expect((await trial.job(job.id)).state).toEqual({
      type: 'error',
      error: 'planner nobody is not configured',
    })
    expect(await store.read.attempts.listOfJob(job.id)).toHaveLength(1)
  })

  it('stops its planner if the working branch cannot be created', async () => {
    const job = await trial.start()
    const broken = { type: 'git-failed', command: 'git update-ref', problem: 'no space' } as const
    const { branches } = trial.needs
    const failing = {
      ...branches,
      tip: async () => undefined,
      move: async () => ({ ok: false, failure: broken }) as const,
    }
    await advanceJob({ ...trial.needs, branches: failing }, job.id)
    expect((await trial.job(job.id)).state.type).toBe('error')
    const sessions = await trial.needs.store.read.sessions.listOfJob(job.id)
    expect(sessions.map(({ state }) => state.type)).toEqual(['terminating'])
  })
})
