import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleChange, exampleMessage, exampleSession, ids } from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, planTasks, settleAll } from '../../../test/support/job-trial.ts'

import { silentLog } from '../../../test/support/silent-log.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { NO_CONVERSATION } from '../../domain/session/conversation-state.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Work } from '../../ports/work-queue.ts'
import { insertAttempt, newAttempt } from '../attempts/new-attempt.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { createWorkHandler } from '../handlers/handle-work.ts'
import { advanceJob } from '../jobs/advance-job.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { pauseJob } from '../jobs/control-job.ts'
import { startJob } from '../jobs/start-job.ts'
import { createAssignments } from '../roles/assignments.ts'
import { askSession } from '../sessions/create/ask-session.ts'
import { createPersonalSession } from '../sessions/create/create-personal-session.ts'
import { storeEnd } from '../sessions/end/end-session.ts'
import { requestStop } from '../sessions/end/stop-session.ts'
import { admitResumed } from './admit-session.ts'
import { decideStart } from './decide-starts.ts'
import { attemptWaiter } from './start-waiter.ts'
import { wakeWaiting } from './wake-waiting.ts'

let trial: JobTrial
let usual: JobTrial['configuration']
/** The daemon's limit. */
let maxSessions: number

const needs = () => ({ ...trial.needs, settings: { ...trial.needs.settings, maxSessions } })

beforeAll(async () => {
  trial = await openJobTrial()
  usual = trial.configuration
})

afterAll(() => trial[Symbol.asyncDispose]())

beforeEach(async () => {
  trial.configuration = usual
  trial.freeMemoryMb = 1_000_000
  trial.alarms.length = 0
  maxSessions = 16
  const { store } = trial.needs
  for (const job of await store.read.jobs.listOpen())
    await cancelJob(trial.needs, job.id, 'the test has ended')
  for (const session of await store.read.sessions.listLive()) await end(session.id)
  trial.sent.length = 0
})

async function planned(tasks: readonly Partial<Task>[]): Promise<Job> {
  const job = await trial.start({ maxParallelTasks: 8 })
  await advanceJob(trial.needs, job.id)
  await settleAll(trial.needs.store, job.id)
  await planTasks(trial.needs.store, job, tasks)
  await advanceJob(needs(), job.id)
  return job
}

/** Ends a session. */
async function end(sessionId: SessionId): Promise<void> {
  await trial.needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session === undefined) throw new Error(`no session ${sessionId}`)
    await storeEnd(trial.needs, records, session, { type: 'terminated', end: { type: 'exited', code: 0 } })
  })
}

/** Does the work that starts waiting sessions and tasks, as the queue would. */
async function work(): Promise<void> {
  for (let next = trial.sent.shift(); next !== undefined; next = trial.sent.shift()) {
    if (next.type === 'admission-wake') await wakeWaiting(needs())
    if (next.type === 'job-advance') await advanceJob(needs(), next.jobId)
  }
}

/** The agent of the job's only session runs out of quota. Returns until when (ISO time). */
async function park(job: Job): Promise<string> {
  const [session] = await working(job)
  if (session === undefined) throw new Error('nothing is running')
  const until = new Date(trial.now.getTime() + 60_000).toISOString()
  const why = { type: 'limited', reason: 'quota', until } as const
  const suspended = { ...session, state: { type: 'suspended', why, hasExited: true } } as const
  await trial.needs.store.transact((records) => records.sessions.save(suspended, exampleChange()))
  return until
}

async function open(): Promise<Session> {
  const opened = await createPersonalSession(needs(), {
    repositoryPath: trial.repositoryPath,
    agent: 'will',
    mode: 'headless',
    prompt: 'look around',
  })
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure))
  return opened.value
}

async function stateOf(sessionId: SessionId): Promise<Session['state']> {
  const session = await trial.needs.store.read.sessions.find(sessionId)
  if (session === undefined) throw new Error(`no session ${sessionId}`)
  return session.state
}

const isAdvanceOf = (work: Work, job: Job) => work.type === 'job-advance' && work.jobId === job.id
const tasksOf = (job: Job) => trial.needs.store.read.tasks.listOfJob(job.id)
const working = async (job: Job) =>
  (await trial.needs.store.read.sessions.listLive(job.id)).filter(({ state }) => state.type === 'starting')
const typesOf = async (job: Job) =>
  (await trial.eventsOf(job.id)).map(({ type }) => type).filter((type) => type.endsWith('_waiting'))
const count = async (job: Job) => (await trial.needs.store.read.sessions.listLive(job.id)).length
const three = [{}, {}, {}]

function limited(limits: Partial<JobTrial['configuration']>): void {
  trial.configuration = { ...usual, ...limits }
}

describe('admission', () => {
  it('counts the sessions of an agent across jobs', async () => {
    const agents = usual.agents.map((agent) => ({ ...agent, maxParallel: 2 }))
    limited({ agents })
    const first = await planned([{}])
    const second = await planned(three)
    expect([await count(first), await count(second)]).toEqual([1, 1])
    await settleAll(trial.needs.store, first.id)
    await advanceJob(trial.needs, second.id)
    expect(await count(second)).toBe(2)
  })

  it('enforces the limit of a role, for planners too', async () => {
    limited({ roles: { worker: { agents: [], maxParallel: 2 }, planner: { agents: [], maxParallel: 1 } } })
    const job = await planned(three)
    expect(await count(job)).toBe(2)
    const [one, other] = [await trial.start(), await trial.start()]
    for (const { id } of [one, other]) await advanceJob(trial.needs, id)
    expect([await count(one), await count(other)]).toEqual([1, 0])
  })

  it('starts one program at a time if memory is short', async () => {
    limited({ limits: { memoryFloorMb: 512 } })
    trial.freeMemoryMb = 511
    const job = await planned(three)
    expect(await count(job)).toBe(1)
    trial.freeMemoryMb = 512
    await advanceJob(trial.needs, job.id)
    expect(await count(job)).toBe(3)
  })
})

describe('a role bound to several agents', () => {
  const wanda = { name: 'wanda', provider: 'command', roles: ['worker'], env: [] }

  /** Both agents are bound to do tasks; the first one may do only one at a time. */
  function bound(fields: Partial<AgentSpec> = {}): void {
    const agents = usual.agents.map((agent) =>
      agent.name === 'will' ? { ...agent, maxParallel: 1, ...fields } : agent,
    )
    limited({ agents: [...agents, wanda], roles: { worker: { agents: ['will', 'wanda'] } } })
  }

  const agentsOf = async (job: Job) => (await working(job)).map(({ agentName }) => agentName).sort()

  it('takes the next agent when the first one is at its own limit', async () => {
    bound()
    expect(await agentsOf(await planned([{}, {}]))).toEqual(['wanda', 'will'])
  })

  it("takes the next agent when the first one's model is at its limit", async () => {
    bound({ model: 'opus', maxParallel: 8 })
    trial.configuration = { ...trial.configuration, limits: { modelParallel: { opus: 1 } } }
    expect(await agentsOf(await planned([{}, {}]))).toEqual(['wanda', 'will'])
  })

  it('waits for the agent that the planner named for a task', async () => {
    bound()
    const job = await planned([{}, { agent: 'will' }])
    expect(await agentsOf(job)).toEqual(['will'])
    expect((await tasksOf(job))[1]?.state).toMatchObject({ waiting: { limit: 'agent', value: 1, inUse: 1 } })
  })

  it('takes the next agent while the first one is out of quota', async () => {
    bound()
    const busy = await planned([{}])
    await park(busy)
    expect(await agentsOf(await planned([{}]))).toEqual(['wanda'])
  })
})

describe('a task or planner that waits to start', () => {
  it('reports which limit is reached, once per limit', async () => {
    maxSessions = 2
    const job = await planned([{ priority: 'P0' }, {}, {}])
    const [first, , third] = await tasksOf(job)
    expect(first?.state.type).toBe('running')
    expect(third?.state).toMatchObject({
      type: 'pending',
      waiting: { limit: 'global', value: 2, inUse: 2, since: trial.now.toISOString() },
    })
    await advanceJob(needs(), job.id)
    expect(await typesOf(job)).toEqual(['task_waiting'])
    expect((await trial.eventsOf(job.id)).at(-1)?.data).toMatchObject({
      reason: '2 of 2 sessions are running',
    })
  })

  it("is not reported if it only waits for the job's own parallel limit", async () => {
    const job = await trial.start({ maxParallelTasks: 1 })
    await advanceJob(trial.needs, job.id)
    await settleAll(trial.needs.store, job.id)
    await planTasks(trial.needs.store, job, three)
    await advanceJob(needs(), job.id)
    expect((await tasksOf(job)).at(-1)?.state).toMatchObject({
      waiting: { limit: 'phase', value: 1, inUse: 1 },
    })
    expect(await typesOf(job)).toEqual([])
  })

  it('starts when a session ends, after those that have waited longer', async () => {
    maxSessions = 1
    const first = await planned([{}])
    const second = await planned([{}])
    trial.now = new Date(trial.now.getTime() + 1_000)
    const third = await planned([{}])
    for (const [job, next] of [
      [first, second],
      [second, third],
    ] as const) {
      const [running] = await working(job)
      if (running === undefined) throw new Error('nothing runs')
      await end(running.id)
      // A job that happens to be advanced first must not overtake one that waits longer.
      await advanceJob(needs(), third.id)
      await work()
      expect(await working(next)).toHaveLength(1)
    }
  })

  it('starts in order of priority across jobs', async () => {
    maxSessions = 1
    const busy = await planned([{}])
    const later = await planned([{ priority: 'P2' }])
    const urgent = await planned([{ priority: 'P0' }])
    for (const session of await working(busy)) await end(session.id)
    await work()
    expect([await working(later), await working(urgent)].map((list) => list.length)).toEqual([0, 1])
  })

  it('lets others start while its job is paused', async () => {
    maxSessions = 1
    const busy = await planned([{}])
    const paused = await planned([{ priority: 'P0' }])
    const other = await planned([{ priority: 'P2' }])
    await pauseJob(trial.needs, paused.id)
    for (const session of await working(busy)) await end(session.id)
    await work()
    expect(await working(other)).toHaveLength(1)
  })

  it('lets others start while its job cannot be advanced', async () => {
    maxSessions = 1
    const busy = await planned([{}])
    const broken = await planned([{ priority: 'P0' }])
    const other = await planned([{ priority: 'P2' }])
    const unreadable = {
      ...needs(),
      sendWork: async (sent: Work) => void trial.sent.push(sent),
      branches: { ...trial.needs.branches, tip: () => Promise.reject(new Error('EIO')) },
      log: silentLog,
    }
    const handle = createWorkHandler(unreadable as unknown as EngineNeeds, () => undefined)
    await expect(handle({ type: 'job-advance', jobId: broken.id })).rejects.toThrow('EIO')
    for (const session of await working(busy)) await end(session.id)
    trial.sent.splice(0, Infinity, ...trial.sent.filter((sent) => !isAdvanceOf(sent, broken)))
    await work()
    expect([await count(broken), await count(other)]).toEqual([0, 1])
    await createWorkHandler(
      { ...unreadable, ...needs() } as unknown as EngineNeeds,
      () => undefined,
    )({
      type: 'job-advance',
      jobId: broken.id,
    })
    for (const session of await working(other)) await end(session.id)
    await work()
    expect(await count(broken)).toBe(1)
  })

  it('starts when memory is free again', async () => {
    limited({ limits: { memoryFloorMb: 512 } })
    trial.freeMemoryMb = 511
    const job = await planned(three)
    trial.freeMemoryMb = 512
    await wakeWaiting(needs())
    await work()
    expect(await working(job)).toHaveLength(3)
  })

  it('waits for the limit of its project, across jobs', async () => {
    limited({ limits: { projectParallel: 2 } })
    const jobs = [await planned([{}]), await planned(three)] as const
    expect([await count(jobs[0]), await count(jobs[1])]).toEqual([1, 1])
    expect((await tasksOf(jobs[1])).at(-1)?.state).toMatchObject({ waiting: { limit: 'project', value: 2 } })
  })

  it('waits for the limit of its model, across agents', async () => {
    const agents = usual.agents.map((agent) => ({ ...agent, model: 'opus' }))
    limited({ agents, limits: { modelParallel: { opus: 2 } } })
    const job = await planned(three)
    expect(await count(job)).toBe(2)
    expect((await tasksOf(job)).at(-1)?.state).toMatchObject({ waiting: { limit: 'model' } })
  })

  it('starts its cycle, if it is a planner, when a slot is free', async () => {
    maxSessions = 1
    const busy = await planned([{}])
    const goal = { repositoryPath: trial.repositoryPath, requestDocument: 'Grow', autoStart: true }
    const started = await startJob(needs(), goal)
    if (!started.ok) throw new Error(JSON.stringify(started.failure))
    const job = started.value
    expect(job.state).toMatchObject({ waiting: { limit: 'global', value: 1, inUse: 1 } })
    expect(await typesOf(job)).toEqual(['job_waiting'])
    for (const session of await working(busy)) await end(session.id)
    await work()
    expect((await trial.job(job.id)).state).toEqual({ type: 'running', pausing: false })
    expect(await working(job)).toMatchObject([{ role: 'planner' }])
  })

  it('waits until its agent has quota again', async () => {
    const until = await park(await planned([{}]))
    const job = await planned([{}])
    expect((await tasksOf(job))[0]?.state).toMatchObject({ waiting: { limit: 'agent', value: 0, until } })
    expect(trial.sent).toContainEqual({ type: 'admission-wake' })
    await work()
    expect(trial.alarms).toEqual([{ at: new Date(until), work: { type: 'admission-wake' } }])
    trial.now = new Date(until)
    await wakeWaiting(needs())
    await work()
    expect(await working(job)).toHaveLength(1)
  })
})

describe('a session', () => {
  it('of a run that has begun starts before new work of the same priority', async () => {
    maxSessions = 1
    const busy = await planned([{}])
    const begun = await planned([{}])
    const waiting = await planned([{}])
    const [task] = await tasksOf(begun)
    const agent = begun.plan.agents.find(({ name }) => name === begun.plan.worker)
    if (task === undefined || agent === undefined) throw new Error('nothing was planned')
    const visit = { runId: ids.next('run'), visitId: ids.next('visit'), makesWork: false, judges: true }
    const attempt = newAttempt(needs(), {
      ...{ job: begun, role: 'worker', number: 1, agent, head: begun.baseCommit },
      purpose: { type: 'visit', taskId: task.id, ...visit },
    })
    const { sessionId: id, createdAt: since } = attempt
    await trial.needs.store.transact(async (records) => {
      const waiter = attemptWaiter(begun, attempt, { id, priority: 'P1', since, isResume: false })
      const admission = await decideStart(needs(), records, waiter)
      await insertAttempt(needs(), records, { attempt, admission })
      await records.tasks.save({ ...task, state: { type: 'running', runId: visit.runId } }, exampleChange())
    })
    expect(await stateOf(id)).toMatchObject({ type: 'waiting', limit: 'global', value: 1, inUse: 1 })
    for (const worker of await working(busy)) await end(worker.id)
    await work()
    expect([await count(waiting), (await stateOf(id)).type]).toEqual([0, 'starting'])
  })

  it('of a person starts before everything else, and ends at once if it is stopped while it waits', async () => {
    maxSessions = 1
    const busy = await planned([{}])
    const urgent = await planned([{ priority: 'P0' }])
    const [stopped, kept] = [await open(), await open()]
    expect(stopped.state).toMatchObject({ type: 'waiting', limit: 'global' })
    await requestStop(trial.needs, stopped.id, { type: 'cancelled', reason: 'enough' })
    expect(await stateOf(stopped.id)).toMatchObject({ type: 'terminated', end: { type: 'cancelled' } })
    for (const session of await working(busy)) await end(session.id)
    await work()
    expect([(await stateOf(kept.id)).type, await count(urgent)]).toEqual(['starting', 0])
    expect(trial.sent).toEqual([])
  })

  it('of a person gets the first agent that is bound to its role and fits', async () => {
    const agent = (name: string, model: string): AgentSpec => ({
      name,
      provider: 'command',
      roles: ['worker', 'planner'],
      model,
      env: [],
    })
    limited({
      agents: [agent('ada', 'm1'), agent('bob', 'm2'), agent('cat', 'm3')],
      roles: {
        worker: { agents: ['cat', 'bob'], models: ['m2'] },
        scribe: { agents: ['cat'] },
      },
    })
    const request = { repositoryPath: trial.repositoryPath, mode: 'headless', prompt: 'look around' } as const
    const chosen = async (more: { role?: string; agent?: string }) => {
      const created = await createPersonalSession(needs(), { ...request, ...more })
      return created.ok ? [created.value.agentName, created.value.role] : created.failure.type
    }
    expect(await chosen({})).toEqual(['bob', 'worker'])
    expect(await chosen({ role: 'scribe' })).toEqual(['cat', 'scribe'])
    expect(await chosen({ agent: 'ada' })).toBe('model-unbound')
  })

  it('needs a free slot again when it is resumed', async () => {
    maxSessions = 1
    const job = await planned([{}])
    const [running] = await working(job)
    if (running === undefined) throw new Error('nothing runs')
    const personal = await open()
    await end(running.id)
    await work()
    const asked = { type: 'suspended', why: { type: 'asked', reason: 'lunch' }, hasExited: true } as const
    const resume = { prompt: 'go on' }
    await trial.needs.store.transact(async (records) => {
      const session = await records.sessions.find(personal.id)
      if (session === undefined) throw new Error('it is gone')
      await records.sessions.save({ ...session, state: { ...asked, resume } }, exampleChange())
    })
    const other = await open()
    expect(other.state.type).toBe('starting')
    await admitResumed(needs(), personal.id)
    expect(await stateOf(personal.id)).toMatchObject({ type: 'waiting', limit: 'global', resume })
    trial.sent.length = 0
    await end(other.id)
    await wakeWaiting(needs())
    expect(await stateOf(personal.id)).toMatchObject({ type: 'starting', resume })
    expect(trial.sent).toContainEqual({ type: 'session-resume', sessionId: personal.id })
  })

  it('lends its slot to the session that it asks', async () => {
    const job = await planned([{}])
    const over = exampleSession(job, {
      agentName: 'will',
      state: { type: 'terminated', end: { type: 'exited', code: 0 } },
      conversation: { ...NO_CONVERSATION, providerSessionId: 'p-1' },
    })
    const [asker] = await working(job)
    if (asker === undefined || asker.purpose.type !== 'attempt') throw new Error('nothing runs')
    const { attemptId } = asker.purpose
    await trial.needs.store.transact((records) =>
      records.sessions.insert({ ...over, purpose: { type: 'attempt', attemptId } }, exampleChange()),
    )
    maxSessions = 1
    const question = { question: 'why?', of: { type: 'session', sessionId: over.id } } as const
    const asking = { ...needs(), host: undefined as never, assignments: createAssignments({} as never) }
    const byPerson = await askSession(asking, question)
    expect(byPerson).toMatchObject({ value: { state: { type: 'waiting', limit: 'global' } } })
    const message = await trial.needs.store.transact((records) =>
      records.messages.insert(
        exampleMessage({ jobId: job.id, sender: asker.id, recipient: 'engine', kind: 'question' }),
        exampleChange(),
      ),
    )
    if (byPerson.ok) await end(byPerson.value.id)
    const byAgent = await askSession(asking, { ...question, replyTo: message.id })
    expect(byAgent).toMatchObject({ value: { state: { type: 'starting' } } })
  })

  it('keeps waiting if the daemon dies while waking it, and starts the next time', async () => {
    maxSessions = 1
    const busy = await planned([{}])
    const personal = await open()
    for (const session of await working(busy)) await end(session.id)
    const dying = {
      ...needs(),
      crash: {
        reach(point: string) {
          if (point === 'admission.before-wake') throw new Error('the process died')
        },
      },
    }
    await expect(wakeWaiting(dying)).rejects.toThrow('the process died')
    expect((await stateOf(personal.id)).type).toBe('waiting')
    await wakeWaiting(needs())
    await wakeWaiting(needs())
    expect((await stateOf(personal.id)).type).toBe('starting')
    const starts = trial.sent.filter(
      (sent) => sent.type === 'session-start' && sent.sessionId === personal.id,
    )
    expect(starts).toHaveLength(1)
  })
})
