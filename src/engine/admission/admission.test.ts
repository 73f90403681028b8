import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleChange, exampleSession } from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial, planTasks, settleAll } from '../../../test/support/job-trial.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import { NO_TALK } from '../../domain/session/talk.ts'
import type { Task } from '../../domain/task/task.ts'
import { advanceJob } from '../jobs/advance-job.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { pauseJob } from '../jobs/control-job.ts'
import { askReviewer } from '../reviews/ask-reviewer.ts'
import { askSession } from '../sessions/create/ask-session.ts'
import { openSession } from '../sessions/create/open-session.ts'
import { storeEnd } from '../sessions/end/end-session.ts'
import { requestStop } from '../sessions/end/stop-session.ts'
import { placeResumed } from './request-place.ts'
import { wakeWaiting } from './wake-waiting.ts'

let trial: JobTrial
let usual: JobTrial['configuration']
/** Of the daemon. */
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
  for (const job of await store.read.jobs.listOpen()) await cancelJob(trial.needs, job.id, 'the test is over')
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

/** A program ends, and its session with it. */
async function end(sessionId: SessionId): Promise<void> {
  await trial.needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session === undefined) throw new Error(`no session ${sessionId}`)
    await storeEnd(trial.needs, records, session, { type: 'terminated', end: { type: 'exited', code: 0 } })
  })
}

/** Does the work that moves what waits, as the queue would. */
async function work(): Promise<void> {
  for (let next = trial.sent.shift(); next !== undefined; next = trial.sent.shift()) {
    if (next.type === 'admission-wake') await wakeWaiting(needs())
    if (next.type === 'job-advance') await advanceJob(needs(), next.jobId)
  }
}

async function open(): Promise<Session> {
  const opened = await openSession(needs(), {
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

describe('what waits for a place', () => {
  it('says which limit is reached, once for each limit', async () => {
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
    expect((await trial.eventsOf(job.id)).at(-1)?.data).toMatchObject({ reason: '2 of 2 sessions run' })
  })

  it('is not reported task by task where the job only keeps to its own pace', async () => {
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

  it('starts when a session ends, and the oldest of equals goes first', async () => {
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
      // The job that comes first must not take the place of one that waits.
      await advanceJob(needs(), third.id)
      await work()
      expect(await working(next)).toHaveLength(1)
    }
  })

  it('starts by priority across jobs', async () => {
    maxSessions = 1
    const busy = await planned([{}])
    const later = await planned([{ priority: 'P2' }])
    const urgent = await planned([{ priority: 'P0' }])
    for (const session of await working(busy)) await end(session.id)
    await work()
    expect([await working(later), await working(urgent)].map((list) => list.length)).toEqual([0, 1])
  })

  it('leaves its place to others while its job is paused', async () => {
    maxSessions = 1
    const busy = await planned([{}])
    const paused = await planned([{ priority: 'P0' }])
    const other = await planned([{ priority: 'P2' }])
    await pauseJob(trial.needs, paused.id)
    for (const session of await working(busy)) await end(session.id)
    await work()
    expect(await working(other)).toHaveLength(1)
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

  it('counts the sessions of a project over its jobs', async () => {
    limited({ limits: { projectParallel: 2 } })
    const jobs = [await planned([{}]), await planned(three)] as const
    expect([await count(jobs[0]), await count(jobs[1])]).toEqual([1, 1])
    expect((await tasksOf(jobs[1])).at(-1)?.state).toMatchObject({ waiting: { limit: 'project', value: 2 } })
  })

  it('counts the sessions of a model over agents', async () => {
    const agents = usual.agents.map((agent) => ({ ...agent, model: 'opus' }))
    limited({ agents, limits: { modelParallel: { opus: 2 } } })
    const job = await planned(three)
    expect(await count(job)).toBe(2)
    expect((await tasksOf(job)).at(-1)?.state).toMatchObject({ waiting: { limit: 'model' } })
  })

  it('lets a planner wait, and its cycle begin when there is a place', async () => {
    maxSessions = 1
    const busy = await planned([{}])
    const job = await trial.start()
    await advanceJob(needs(), job.id)
    expect((await trial.job(job.id)).state).toMatchObject({
      waiting: { limit: 'global', value: 1, inUse: 1 },
    })
    expect(await typesOf(job)).toEqual(['job_waiting'])
    for (const session of await working(busy)) await end(session.id)
    await work()
    expect((await trial.job(job.id)).state).toEqual({ type: 'running', pausing: false })
    expect(await working(job)).toMatchObject([{ role: 'planner' }])
  })

  it('waits for an agent that is out of quota until its time', async () => {
    const busy = await planned([{}])
    const [worker] = await working(busy)
    if (worker === undefined) throw new Error('nothing runs')
    const until = new Date(trial.now.getTime() + 60_000).toISOString()
    const why = { type: 'limited', reason: 'quota', until } as const
    const suspended = { ...worker, state: { type: 'suspended', why, isOver: true } } as const
    await trial.needs.store.transact((records) => records.sessions.save(suspended, exampleChange()))
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
  async function reviewed(): Promise<Task> {
    const agents = [...usual.agents, { name: 'rae', provider: 'command', roles: ['reviewer'], env: {} }]
    limited({ agents, roles: { reviewer: { agents: ['rae'] } }, mode: 'review' })
    const job = await planned([{}])
    const [task] = await tasksOf(job)
    if (task === undefined) throw new Error('no task')
    for (const session of await working(job)) await end(session.id)
    await settleAll(trial.needs.store, job.id)
    for (const attempt of await trial.needs.store.read.attempts.listUnsettled(job.id)) {
      const state = { type: 'settled', outcome: { type: 'accepted' } } as const
      await trial.needs.store.transact((records) =>
        records.attempts.save({ ...attempt, state }, exampleChange()),
      )
    }
    return task
  }

  const review = (task: Task) =>
    trial.needs.store.withJob(task.jobId, (records, job) =>
      askReviewer(needs(), records, { job, task, tip: 'b'.repeat(40) }),
    )

  it('of a reviewer waits and starts before new work of the same priority', async () => {
    const task = await reviewed()
    maxSessions = 1
    const busy = await planned([{}])
    const waiting = await planned([{}])
    await review(task)
    const [session] = await trial.needs.store.read.sessions.listLive(task.jobId)
    expect(session?.state).toMatchObject({ type: 'waiting', limit: 'global', value: 1, inUse: 1 })
    for (const worker of await working(busy)) await end(worker.id)
    await work()
    expect([await count(waiting), (await stateOf(session?.id as SessionId)).type]).toEqual([0, 'starting'])
  })

  it('of a person goes before everything else, and ends at once when it is stopped', async () => {
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

  it('that is resumed takes a new place', async () => {
    maxSessions = 1
    const job = await planned([{}])
    const [running] = await working(job)
    if (running === undefined) throw new Error('nothing runs')
    const personal = await open()
    await end(running.id)
    await work()
    const asked = { type: 'suspended', why: { type: 'asked', reason: 'lunch' }, isOver: true } as const
    const resume = { prompt: 'go on' }
    await trial.needs.store.transact(async (records) => {
      const session = await records.sessions.find(personal.id)
      if (session === undefined) throw new Error('it is gone')
      await records.sessions.save({ ...session, state: { ...asked, resume } }, exampleChange())
    })
    const other = await open()
    expect(other.state.type).toBe('starting')
    await placeResumed(needs(), personal.id)
    expect(await stateOf(personal.id)).toMatchObject({ type: 'waiting', limit: 'global', resume })
    trial.sent.length = 0
    await end(other.id)
    await wakeWaiting(needs())
    expect(await stateOf(personal.id)).toMatchObject({ type: 'starting', resume })
    expect(trial.sent).toContainEqual({ type: 'session-resume', sessionId: personal.id })
  })

  it('that asks another one lends it its place', async () => {
    const job = await planned([{}])
    const over = exampleSession(job, {
      agentName: 'will',
      state: { type: 'terminated', end: { type: 'exited', code: 0 } },
      talk: { ...NO_TALK, providerSessionId: 'p-1' },
    })
    const [asker] = await working(job)
    if (asker === undefined || asker.purpose.type !== 'attempt') throw new Error('nothing runs')
    const { attemptId } = asker.purpose
    await trial.needs.store.transact((records) =>
      records.sessions.insert({ ...over, purpose: { type: 'attempt', attemptId } }, exampleChange()),
    )
    maxSessions = 1
    const question = { question: 'why?', of: { type: 'session', sessionId: over.id } } as const
    const asking = { ...needs(), host: undefined as never, roles: { find: () => undefined } }
    const byPerson = await askSession(asking, question)
    expect(byPerson).toMatchObject({ value: { state: { type: 'waiting', limit: 'global' } } })
    const letter = await trial.needs.store.transact((records) =>
      records.messages.insert(
        {
          id: trial.needs.ids.next('message'),
          jobId: job.id,
          sender: asker.id,
          recipient: 'engine',
          kind: 'question',
          subject: '',
          body: 'why?',
          metadata: {},
          state: { type: 'queued' },
          version: 1,
          createdAt: trial.now,
        },
        exampleChange(),
      ),
    )
    if (byPerson.ok) await end(byPerson.value.id)
    const byAgent = await askSession(asking, { ...question, replyTo: letter.id })
    expect(byAgent).toMatchObject({ value: { state: { type: 'starting' } } })
  })

  it('keeps waiting when the waker dies, and starts when it is woken again', async () => {
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
