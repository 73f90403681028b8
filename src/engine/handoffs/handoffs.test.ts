import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type ExampleTask,
  endExampleSession,
  exampleAttempt,
  exampleChange,
  exampleJob,
  exampleMessage,
  exampleSession,
  ids,
  storeExampleTask,
} from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial } from '../../../test/support/job-trial.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createLocalHost } from '../../adapters/hosts/local/create-local-host.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { HandoffNote } from '../../domain/handoff/handoff-note.ts'
import type { MessageId, SessionId } from '../../domain/id.ts'
import { RETRY_LIMITS } from '../../domain/limits/retry-limits.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionState } from '../../domain/session/session-state.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { createAssignments } from '../roles/assignments.ts'
import { endSession } from '../sessions/end/end-session.ts'
import { planOf } from '../sessions/purposes/plan-of.ts'
import { type HandoffRequest, handOver } from './hand-over.ts'

const EXIT = { type: 'exited', code: 0 } as const
const REQUEST: HandoffRequest = { summary: 'half is done', nextSteps: 'the other half', reason: 'full' }

const parts = new AsyncDisposableStack()
let trial: JobTrial
let needs: JobTrial['needs'] & Pick<EngineNeeds, 'host' | 'assignments'>
let owner: ExampleTask
let attempt: Attempt
let session: Session

beforeAll(async () => {
  trial = parts.use(await openJobTrial())
  const home = parts.use(await temporaryDirectory())
  const host = await createLocalHost({ hostsDirectory: home.path })
  const hub = trial.needs as JobTrial['needs'] & Pick<EngineNeeds, 'trees'>
  needs = { ...trial.needs, host, assignments: createAssignments({ ...hub, host }) }
})

afterAll(() => parts.disposeAsync())

beforeEach(async () => {
  trial.now = new Date()
  // Those of earlier tests occupy no slot.
  for (const live of await needs.store.read.sessions.listLive()) await endExampleSession(needs.store, live)
  const { plan } = exampleJob()
  const agents = [
    ...plan.agents,
    { name: 'two', provider: 'command', roles: ['worker'], env: [] },
    { name: 'critic', provider: 'command', roles: ['reviewer'], env: [] },
  ]
  owner = await storeExampleTask(needs.store, { plan: { ...plan, agents } })
  ;({ attempt, session } = await storeWorker())
  trial.sent.length = 0
})

/** A session that works on the task. */
async function storeWorker(
  fields: Partial<Session> = {},
  attemptFields: Partial<Attempt> = {},
): Promise<{ readonly attempt: Attempt; readonly session: Session }> {
  const { job, task } = owner
  const attemptId = ids.next('attempt')
  const worker = exampleSession(job, { purpose: { type: 'attempt', attemptId }, ...fields })
  const work = exampleAttempt(job, {
    id: attemptId,
    purpose: { type: 'task', taskId: task.id },
    sessionId: worker.id,
    state: { type: 'running' },
    ...attemptFields,
  })
  return await needs.store.transact(async (records) => ({
    attempt: await records.attempts.insert(work, exampleChange()),
    session: await records.sessions.insert(worker, exampleChange()),
  }))
}

/** Changes the session's row or its attempt's. */
async function change(fields: { session?: Partial<Session>; attempt?: Partial<Attempt> }): Promise<void> {
  await needs.store.transact(async (records) => {
    if (fields.session !== undefined)
      await records.sessions.save({ ...session, ...fields.session }, exampleChange())
    if (fields.attempt !== undefined)
      await records.attempts.save({ ...attempt, ...fields.attempt }, exampleChange())
  })
}

async function handedOver(request: Partial<HandoffRequest> = {}): Promise<HandoffNote> {
  const handed = await handOver(needs, session.id, { ...REQUEST, ...request })
  if (!handed.ok) throw new Error(JSON.stringify(handed.failure))
  return handed.value
}

async function find(sessionId: SessionId): Promise<Session> {
  const found = await needs.store.read.sessions.find(sessionId)
  if (found === undefined) throw new Error(`no session ${sessionId}`)
  return found
}

async function findAttempt(): Promise<Attempt> {
  const found = await needs.store.read.attempts.find(attempt.id)
  if (found === undefined) throw new Error('the attempt is gone')
  return found
}

const successor = async () => find((await findAttempt()).sessionId)
const sessionCount = async () => (await needs.store.read.sessions.listOfJob(owner.job.id)).length
const impossible = (problem: string) => ({
  ok: false,
  failure: { type: 'handoff-impossible', sessionId: session.id, problem },
})

/** Nothing was stored: the session works on. */
async function expectUnchanged(): Promise<void> {
  expect(await sessionCount()).toBe(1)
  expect((await findAttempt()).sessionId).toBe(session.id)
  expect(trial.sent).toEqual([])
}

describe('a handoff', () => {
  it('gives the attempt to a new session, with a note, and stops the old one', async () => {
    const note = await handedOver()
    const { id, ...next } = await successor()
    expect(id).not.toBe(session.id)
    expect(next).toMatchObject({
      purpose: session.purpose,
      agentName: 'one',
      role: 'worker',
      processNumber: 1,
    })
    expect(next.state).toEqual({ type: 'starting' })
    expect(note).toEqual({
      ...REQUEST,
      from: session.id,
      fromAgent: 'one',
      to: 'one',
      at: trial.now.toISOString(),
    })
    expect(await findAttempt()).toMatchObject({ state: { type: 'preparing' }, handoffs: [note] })
    const why = { type: 'handed-over', to: 'one', reason: 'full' }
    expect((await find(session.id)).state).toEqual({ type: 'terminating', why })
    expect(trial.sent).toContainEqual({ type: 'session-stop', sessionId: session.id })
    const [event] = (await trial.eventsOf(owner.job.id)).filter(({ type }) => type === 'task_progress')
    expect(event?.data).toMatchObject({ message: 'one handed over to one: full', nextSessionId: id })
  })

  it('lets the new session start only after the old program has exited: both write to one tree', async () => {
    await handedOver()
    const next = await successor()
    expect(await planOf(next).readiness(needs)).toEqual({ type: 'later' })
    trial.sent.length = 0
    await endSession(needs, session.id, EXIT)
    expect((await find(session.id)).state).toMatchObject({ end: { type: 'handed-over' } })
    expect(await planOf(next).readiness(needs)).toEqual({ type: 'ready' })
    expect(trial.sent).toContainEqual({ type: 'session-start', sessionId: next.id })
    expect(trial.sent.map(({ type }) => type)).not.toContain('attempt-settle')
    expect((await findAttempt()).state).toEqual({ type: 'preparing' })
  })

  it('can go to another agent of the job, which then has the attempt', async () => {
    expect(await handedOver({ to: 'two' })).toMatchObject({ fromAgent: 'one', to: 'two' })
    expect(await findAttempt()).toMatchObject({ agent: { name: 'two' } })
    expect((await successor()).agentName).toBe('two')
  })

  it('of a session that judges needs to be asked for, and never goes to another agent', async () => {
    const { type, taskId } = { type: 'review', taskId: owner.task.id } as const
    await change({ attempt: { purpose: { type, taskId } } })
    expect(await handOver(needs, session.id, REQUEST)).toEqual(
      impossible('Muster has not asked it to hand over'),
    )
    await needs.store.transact((records) =>
      records.sessions.saveProcess(
        { ...session, conversation: { ...session.conversation, isAskedToHandOff: true } },
        exampleChange(),
      ),
    )
    expect(await handOver(needs, session.id, { ...REQUEST, to: 'two' })).toEqual(
      impossible('only a session whose changes are the work can choose its successor'),
    )
    await expectUnchanged()
    expect(await handedOver()).toMatchObject({ to: 'one' })
  })

  it('needs no free slot, because the old session gives its own', async () => {
    const settings = { ...needs.settings, maxSessions: 1 }
    expect(await handOver({ ...needs, settings }, session.id, REQUEST)).toMatchObject({ ok: true })
    expect((await successor()).state.type).toBe('starting')
  })

  it('stores a new session that waits if its agent is at its limit', async () => {
    const { plan } = owner.job
    const agents = plan.agents.map((agent) => (agent.name === 'two' ? { ...agent, maxParallel: 1 } : agent))
    await needs.store.transact((records) =>
      records.jobs.save({ ...owner.job, plan: { ...plan, agents } }, exampleChange()),
    )
    const busy = exampleSession(owner.job, { agentName: 'two' })
    await needs.store.transact((records) => records.sessions.insert(busy, exampleChange()))
    await handedOver({ to: 'two' })
    const next = await successor()
    expect(next.state).toMatchObject({ type: 'waiting', limit: 'agent', value: 1, inUse: 1 })
    expect(trial.sent).not.toContainEqual({ type: 'session-start', sessionId: next.id })
  })

  it('stores nothing if the daemon dies before it is stored', async () => {
    const reach = () => {
      throw new Error('died')
    }
    await expect(handOver({ ...needs, crash: { reach } }, session.id, REQUEST)).rejects.toThrow('died')
    await expectUnchanged()
    expect((await find(session.id)).state.type).toBe('running')
  })

  it('is stored once if the session asks for it twice at the same time', async () => {
    const both = await Promise.all([
      handOver(needs, session.id, REQUEST),
      handOver(needs, session.id, REQUEST),
    ])
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true])
    // The second one may see the whole first one, or only its beginning.
    const problems = ['it is terminating', 'another session has its task'].map(impossible)
    expect(problems).toContainEqual(both.find(({ ok }) => !ok))
    expect((await findAttempt()).handoffs).toHaveLength(1)
    expect(await sessionCount()).toBe(2)
  })
})

describe('a handoff is refused', () => {
  it('if the session has already handed over, before and after its program has exited', async () => {
    await handedOver()
    expect(await handOver(needs, session.id, REQUEST)).toEqual(impossible('it is terminating'))
    await endSession(needs, session.id, EXIT)
    expect(await handOver(needs, session.id, REQUEST)).toEqual(impossible('it is terminated'))
    expect(await sessionCount()).toBe(2)
  })

  const why = { type: 'asked', reason: 'lunch' } as const
  it.each<[SessionState]>([
    [{ type: 'starting' }],
    [{ type: 'suspended', why, hasExited: true }],
    [{ type: 'terminating', why: { type: 'cancelled', reason: 'no' } }],
    [{ type: 'terminated', end: EXIT }],
  ])('if the session is not running: $type', async (state) => {
    await change({ session: { state } })
    expect(await handOver(needs, session.id, REQUEST)).toEqual(impossible(`it is ${state.type}`))
    await expectUnchanged()
  })

  it('if the session does not exist', async () => {
    const sessionId = ids.next('session')
    const failure = { type: 'session-not-found', sessionId }
    expect(await handOver(needs, sessionId, REQUEST)).toEqual({ ok: false, failure })
  })

  it('if the session has no task', async () => {
    const agent = { name: 'one', provider: 'command', roles: [], env: [] }
    const query = exampleSession(owner.job, {
      purpose: { type: 'query', of: session.id, question: 'why?', agent, timeMs: 1_000 },
    })
    await needs.store.transact((records) => records.sessions.insert(query, exampleChange()))
    expect(await handOver(needs, query.id, REQUEST)).toMatchObject({ failure: { problem: 'it has no task' } })
  })

  it('if another session has its task by now', async () => {
    await change({ attempt: { sessionId: ids.next('session') } })
    expect(await handOver(needs, session.id, REQUEST)).toEqual(impossible('another session has its task'))
    expect((await find(session.id)).state.type).toBe('running')
  })

  it('if the task was handed over too often', async () => {
    const note: HandoffNote = { ...REQUEST, from: ids.next('session'), fromAgent: 'one', to: 'one', at: '' }
    const handoffs = Array.from({ length: RETRY_LIMITS.handoffs }, () => note)
    await change({ attempt: { handoffs } })
    const problem = `its task has already been handed over ${RETRY_LIMITS.handoffs} times`
    expect(await handOver(needs, session.id, REQUEST)).toEqual(impossible(problem))
    await expectUnchanged()
    attempt = await findAttempt()
    await change({ attempt: { handoffs: handoffs.slice(1) } })
    expect(await handOver(needs, session.id, REQUEST)).toMatchObject({ ok: true })
  })

  it('if the job has no such agent, and lists the agents it has', async () => {
    expect(await handOver(needs, session.id, { ...REQUEST, to: 'nobody' })).toEqual({
      ok: false,
      failure: { type: 'agent-unknown', agent: 'nobody', known: ['one', 'two', 'critic'] },
    })
    await expectUnchanged()
  })

  it('if the role is bound to other agents', async () => {
    const roles = { worker: { agents: ['one', 'two'] } }
    const { plan } = owner.job
    await needs.store.transact((records) =>
      records.jobs.save({ ...owner.job, plan: { ...plan, roles } }, exampleChange()),
    )
    const handed = await handOver(needs, session.id, { ...REQUEST, to: 'critic' })
    expect(handed).toEqual(impossible('critic cannot take the role worker'))
    await expectUnchanged()
  })
})

describe('what was waiting for a session that hands over', () => {
  async function send(recipient: 'role:worker' | SessionId): Promise<MessageId> {
    const message = exampleMessage({ jobId: owner.job.id, recipient })
    await needs.store.transact((records) => records.messages.insert(message, exampleChange()))
    return message.id
  }

  it('stays until its program exits; then its approval request is withdrawn', async () => {
    const id = ids.next('approval')
    const asker = { type: 'session', sessionId: session.id, processNumber: 1, requestId: '1' } as const
    const action = { type: 'tool-use', tool: 'shell', input: {}, directory: '/' } as const
    const times = { createdAt: trial.now, expiresAt: new Date(trial.now.getTime() + 60_000) }
    await needs.store.transact((records) =>
      records.approvals.insert(
        { id, asker, digest: 'digest', action, state: { type: 'pending' }, version: 1, ...times },
        exampleChange(),
      ),
    )
    const stateOf = async () => (await needs.store.read.approvals.find(id))?.state.type
    await handedOver()
    expect(await stateOf()).toBe('pending')
    await endSession(needs, session.id, EXIT)
    expect(await stateOf()).toBe('void')
  })

  it('fails if it is a message to that session, and reaches the successor if it is to the role', async () => {
    const [own, shared] = [await send(session.id), await send('role:worker')]
    await handedOver()
    await endSession(needs, session.id, EXIT)
    const { messages } = needs.store.read
    expect((await messages.find(own))?.state).toEqual({
      type: 'failed',
      reason: 'the session ended before reading the message',
    })
    const due = await messages.listDue(await successor(), undefined, 10)
    expect(due.map(({ id }) => id)).toEqual([shared])
  })
})
