import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type ExampleTask,
  exampleAttempt,
  exampleChange,
  exampleLandingAction,
  exampleSession,
  ids,
  storeExampleTask,
} from '../../../test/support/example-records.ts'
import { type JobTrial, openJobTrial } from '../../../test/support/job-trial.ts'
import { NO_ASSIGNMENTS } from '../../../test/support/no-assignments.ts'
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { createLocalHost } from '../../adapters/hosts/local/create-local-host.ts'
import type { Approval } from '../../domain/approval/approval.ts'
import type { ApprovalId, SessionId } from '../../domain/id.ts'
import { APPROVAL_LIMITS } from '../../domain/limits/approval-limits.ts'
import type { Session } from '../../domain/session/session.ts'
import { canonicalDigest } from '../canonical-digest.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { cancelJob } from '../jobs/cancel-job.ts'
import { endSession } from '../sessions/end/end-session.ts'
import { reactToTurn } from '../sessions/listen/react-to-turn.ts'
import { requestApprovals } from '../sessions/listen/request-approvals.ts'
import { decideApproval, expireApproval } from './decide-approval.ts'
import { revokeRule } from './make-rule.ts'
import { voidApproval } from './void-approvals.ts'

const ALLOW = { type: 'approval-allow', by: 'grace' } as const
const DENY = { type: 'approval-deny', by: 'ada', reason: 'too risky' } as const
const MINUTE = 60_000

const parts = new AsyncDisposableStack()
let trial: JobTrial
let needs: JobTrial['needs'] & Pick<EngineNeeds, 'adoptSession' | 'host' | 'assignments'>
let owner: ExampleTask
let session: Session
const adopted: SessionId[] = []

beforeAll(async () => {
  trial = parts.use(await openJobTrial())
  const home = parts.use(await temporaryDirectory())
  needs = {
    ...trial.needs,
    host: await createLocalHost({ hostsDirectory: home.path }),
    assignments: NO_ASSIGNMENTS,
    adoptSession: (sessionId) => void adopted.push(sessionId),
  }
})

afterAll(() => parts.disposeAsync())

beforeEach(async () => {
  trial.now = new Date()
  owner = await storeExampleTask(needs.store)
  session = await storeSession()
  for (const list of [adopted, trial.sent, trial.alarms]) list.length = 0
})

async function storeSession(fields: Partial<Session> = {}): Promise<Session> {
  const stored = exampleSession(owner.job, fields)
  await needs.store.transact(async (records) => {
    const attempt = exampleAttempt(owner.job, {
      ...('attemptId' in stored.purpose ? { id: stored.purpose.attemptId } : {}),
      number: (await records.attempts.listOfTask(owner.task.id)).length + 1,
      purpose: { type: 'task', taskId: owner.task.id },
      sessionId: stored.id,
    })
    await records.attempts.insert(attempt, exampleChange())
    await records.sessions.insert(stored, exampleChange())
  })
  return stored
}

const request = (requestId = '1', input: unknown = { command: 'make' }, tool = 'shell') =>
  ({ type: 'permission-request', requestId, tool, input }) as const

/** The session's program asks for permission. Returns all its approval requests, oldest first. */
async function ask(requests = [request()], asker = session): Promise<readonly Approval[]> {
  await needs.store.transact((records) => requestApprovals(needs, records, asker, requests))
  const listed = await needs.store.read.approvals.list({ sessionId: asker.id }, 100)
  return listed.toReversed()
}

async function askOnce(asker = session): Promise<Approval> {
  const approval = (await ask([request()], asker)).at(-1)
  if (approval === undefined) throw new Error('nothing was asked')
  return approval
}

const stateOf = async (id: ApprovalId) => (await needs.store.read.approvals.find(id))?.state

/** What waits to be sent to the session's program. */
const inputs = async (asker = session) =>
  (await needs.store.read.sessions.pendingInputs([asker.id])).map(({ input }) => input)

const decisionsReported = async () =>
  (await trial.eventsOf(owner.job.id)).filter(({ type }) => type === 'approval_decided').length

const refused = (state: string) => ({ ok: false, failure: { type: 'approval-decided', state } })

describe('an approval request', () => {
  it('shows exactly what the program wants to do, and is stored once', async () => {
    await ask()
    const [approval, ...more] = await ask()
    expect(more).toEqual([])
    const { attemptId } = session.purpose as { attemptId: string }
    expect(approval).toMatchObject({
      jobId: owner.job.id,
      attemptId,
      asker: { type: 'session', sessionId: session.id, processNumber: 1, requestId: '1' },
      action: { type: 'tool-use', tool: 'shell', input: { command: 'make' } },
      state: { type: 'pending' },
      expiresAt: new Date(trial.now.getTime() + needs.settings.approvalMinutes * MINUTE),
    })
    expect(trial.alarms).toContainEqual({
      at: approval?.expiresAt,
      work: { type: 'approval-expire', approvalId: approval?.id },
    })
  })

  it('has another digest for another input, tool, request, process or session', async () => {
    const [first] = await ask()
    await ask([
      request('2'),
      request('3', { command: 'make clean' }),
      request('4', { command: 'make' }, 'write'),
    ])
    const mine = await ask([request()], { ...session, processNumber: 2 })
    const others = await ask([request()], await storeSession({ agentName: 'two' }))
    const digests = [...mine, ...others].map(({ digest }) => digest)
    expect(digests).toContain(first?.digest)
    expect(new Set(digests).size).toBe(6)
  })

  it('is refused at once if the program has too many open ones', async () => {
    const many = Array.from({ length: APPROVAL_LIMITS.openPerSession + 1 }, (_, index) => request(`${index}`))
    expect(await ask(many)).toHaveLength(APPROVAL_LIMITS.openPerSession)
    const reason = 'too many approval requests are already waiting for an answer'
    const last = `${APPROVAL_LIMITS.openPerSession}`
    expect(await inputs()).toEqual([{ type: 'decide', requestId: last, decision: { type: 'deny', reason } }])
    expect(await ask([request('next')])).toHaveLength(APPROVAL_LIMITS.openPerSession)
    expect(await inputs()).toHaveLength(2)
  })

  it('is refused at once if its id was used for another action, before and after the decision', async () => {
    const [list] = await ask([request('1', { command: 'ls' })])
    if (list === undefined) throw new Error('nothing was asked')
    const denied = {
      type: 'decide',
      requestId: '1',
      decision: { type: 'deny', reason: 'its id was used before' },
    }
    expect(await ask([request('1', { command: 'rm -rf /' })])).toHaveLength(1)
    expect(await inputs()).toEqual([denied])
    await decideApproval(needs, list.id, ALLOW)
    expect(await ask([request('1', { command: 'rm -rf /' })])).toHaveLength(1)
    expect(await inputs()).toHaveLength(3)
    expect((await inputs()).at(-1)).toEqual(denied)
  })

  it('is withdrawn only while it is pending', async () => {
    const [one, other] = await ask([request('1'), request('2')])
    if (one === undefined || other === undefined) throw new Error('nothing was asked')
    await decideApproval(needs, one.id, ALLOW)
    for (const { id } of [one, other])
      await needs.store.transact((records) => voidApproval(needs, records, id, 'the head moved'))
    expect(await stateOf(one.id)).toEqual({ type: 'allowed', by: 'grace' })
    expect(await stateOf(other.id)).toEqual({ type: 'void', reason: 'the head moved' })
    expect(await decideApproval(needs, other.id, ALLOW)).toMatchObject(refused('void'))
    expect(await inputs()).toHaveLength(1)
  })
})

describe('a decision', () => {
  it('reaches the program that asked, and wakes its listener', async () => {
    const { id, digest } = await askOnce()
    const decided = await decideApproval(needs, id, ALLOW, { digest })
    const state = { type: 'allowed', by: 'grace' }
    expect(decided).toMatchObject({ ok: true, value: { id, state, decidedAt: trial.now } })
    expect(await stateOf(id)).toEqual(state)
    expect(await inputs()).toEqual([{ type: 'decide', requestId: '1', decision: { type: 'allow' } }])
    expect(adopted).toEqual([session.id])
    expect(await decisionsReported()).toBe(1)
  })

  it('gives the program the reason if it is a denial', async () => {
    const { id } = await askOnce()
    await decideApproval(needs, id, DENY)
    expect(await stateOf(id)).toEqual({ type: 'denied', by: 'ada', reason: 'too risky' })
    const decision = { type: 'deny', reason: 'too risky' }
    expect(await inputs()).toEqual([{ type: 'decide', requestId: '1', decision }])
  })

  it('is recorded in the audit with its digest, and without the action', async () => {
    const { id, digest } = await askOnce()
    await decideApproval(needs, id, DENY)
    const entries = await auditOf(id)
    expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
      ['agent', 'approval-request'],
      ['person', 'approval-denied'],
    ])
    expect(entries.every(({ detail }) => detail.includes(digest) && !detail.includes('make'))).toBe(true)
  })

  it('is made once: a second one is refused, whatever it says', async () => {
    const { id } = await askOnce()
    await decideApproval(needs, id, DENY)
    expect(await decideApproval(needs, id, ALLOW)).toMatchObject(refused('denied'))
    expect(await decideApproval(needs, id, DENY)).toMatchObject(refused('denied'))
    expect(await inputs()).toHaveLength(1)
    expect(adopted).toHaveLength(1)
    expect(await decisionsReported()).toBe(1)
  })

  it('is made by one of several people who decide at the same time', async () => {
    const { id } = await askOnce()
    const results = await Promise.all(
      [ALLOW, DENY, ALLOW, DENY].map((verdict) => decideApproval(needs, id, verdict)),
    )
    const winners = results.filter(({ ok }) => ok)
    expect(winners).toHaveLength(1)
    const state = await stateOf(id)
    expect(winners).toMatchObject([{ value: { state } }])
    for (const result of results.filter(({ ok }) => !ok))
      expect(result).toMatchObject(refused(state?.type ?? ''))
    expect(await inputs()).toMatchObject([
      { decision: { type: state?.type === 'allowed' ? 'allow' : 'deny' } },
    ])
    expect(await decisionsReported()).toBe(1)
  })

  it('is refused if the person saw another action, and the request stays open', async () => {
    const [seen, actual] = await ask([request('1'), request('2', { command: 'rm -rf /' })])
    if (seen === undefined || actual === undefined) throw new Error('nothing was asked')
    const { id: approvalId, digest } = actual
    expect(await decideApproval(needs, approvalId, ALLOW, { digest: seen.digest })).toEqual({
      ok: false,
      failure: { type: 'digest-mismatch', approvalId, digest },
    })
    expect(await stateOf(approvalId)).toEqual({ type: 'pending' })
    expect([await inputs(), adopted]).toEqual([[], []])
    expect(await decideApproval(needs, approvalId, DENY, { digest })).toMatchObject({ ok: true })
  })

  it('is refused for a request that does not exist', async () => {
    const approvalId = ids.next('approval')
    expect(await decideApproval(needs, approvalId, ALLOW)).toEqual({
      ok: false,
      failure: { type: 'approval-not-found', approvalId },
    })
  })

  it('stores nothing if the daemon dies before it is stored', async () => {
    const { id } = await askOnce()
    const reach = () => {
      throw new Error('died')
    }
    await expect(decideApproval({ ...needs, crash: { reach } }, id, ALLOW)).rejects.toThrow('died')
    expect([await stateOf(id), await inputs(), adopted]).toEqual([{ type: 'pending' }, [], []])
    expect(await decideApproval(needs, id, ALLOW)).toMatchObject({ ok: true })
  })

  it('about a landing wakes the merge queue instead of a program', async () => {
    const { job } = owner
    const approval = await storeLandingRequest()
    await decideApproval(needs, approval.id, ALLOW)
    expect(trial.sent).toEqual([{ type: 'landing-advance', jobId: job.id }])
    expect([await inputs(), adopted]).toEqual([[], []])
  })
})

/** The merge queue asks whether a candidate may land. */
async function storeLandingRequest(): Promise<Approval> {
  const approval: Approval = {
    id: ids.next('approval'),
    jobId: owner.job.id,
    asker: { type: 'candidate', candidateId: ids.next('candidate') },
    digest: 'digest',
    action: exampleLandingAction(),
    state: { type: 'pending' },
    version: 1,
    createdAt: trial.now,
    expiresAt: new Date(trial.now.getTime() + MINUTE),
  }
  await needs.store.transact((records) => records.approvals.insert(approval, exampleChange()))
  return approval
}

async function auditOf(subject: string) {
  const { database } = trial
  const found = await sql<{ actor: string; action: string; detail: string }>`
    select actor, action, detail from audit where subject = ${subject} order by seq`.execute(database)
  return found.rows
}

describe('a request that no one decides', () => {
  const expired = { type: 'deny', reason: 'no one approved it in time' }

  it('expires at its time and counts as denied', async () => {
    const { id, expiresAt } = await askOnce()
    trial.now = expiresAt
    await expireApproval(needs, id)
    expect(await stateOf(id)).toEqual({ type: 'expired' })
    expect(await inputs()).toEqual([{ type: 'decide', requestId: '1', decision: expired }])
    expect(adopted).toEqual([session.id])
    expect(await auditOf(id)).toMatchObject([{}, { actor: 'engine', action: 'approval-expired' }])
  })

  it('waits for its time if its alarm comes early', async () => {
    const { id, expiresAt } = await askOnce()
    trial.alarms.length = 0
    trial.now = new Date(expiresAt.getTime() - 1)
    await expireApproval(needs, id)
    expect(await stateOf(id)).toEqual({ type: 'pending' })
    expect(trial.alarms).toEqual([{ at: expiresAt, work: { type: 'approval-expire', approvalId: id } }])
  })

  it('expires once, and not after a decision', async () => {
    const [one, other] = await ask([request('1'), request('2')])
    if (one === undefined || other === undefined) throw new Error('nothing was asked')
    await decideApproval(needs, one.id, ALLOW)
    trial.now = one.expiresAt
    await Promise.all([one, one, other, other].map(({ id }) => expireApproval(needs, id)))
    expect(await stateOf(one.id)).toEqual({ type: 'allowed', by: 'grace' })
    expect(await stateOf(other.id)).toEqual({ type: 'expired' })
    expect(await inputs()).toEqual([
      { type: 'decide', requestId: '1', decision: { type: 'allow' } },
      { type: 'decide', requestId: '2', decision: expired },
    ])
  })

  it('cannot be allowed after its time, even if its alarm has not come yet', async () => {
    const { id, expiresAt } = await askOnce()
    trial.now = expiresAt
    expect(await decideApproval(needs, id, ALLOW)).toMatchObject(refused('expired'))
    expect(await inputs()).toEqual([])
    await expireApproval(needs, id)
    expect(await inputs()).toMatchObject([{ decision: expired }])
  })

  it('wakes the merge queue if it is about a landing', async () => {
    const { id, expiresAt } = await storeLandingRequest()
    trial.now = expiresAt
    await expireApproval(needs, id)
    expect(await stateOf(id)).toEqual({ type: 'expired' })
    expect(trial.sent).toEqual([{ type: 'landing-advance', jobId: owner.job.id }])
  })
})

describe('a request whose program no longer waits', () => {
  it('is withdrawn when the program exits, so a decision comes too late and reaches no one', async () => {
    const { id } = await askOnce()
    const other = await askOnce(await storeSession({ agentName: 'two' }))
    await endSession(needs, session.id, { type: 'exited', code: 0 })
    expect(await stateOf(id)).toEqual({ type: 'void', reason: 'the program that asked has exited' })
    expect(await stateOf(other.id)).toEqual({ type: 'pending' })
    expect(await decideApproval(needs, id, ALLOW)).toMatchObject(refused('void'))
    trial.now = other.expiresAt
    await expireApproval(needs, id)
    expect(await stateOf(id)).toMatchObject({ type: 'void' })
    expect(await inputs()).toEqual([])
  })

  it('is withdrawn when the program of a suspended session exits', async () => {
    const why = { type: 'asked', reason: 'lunch' } as const
    const suspended = await storeSession({ state: { type: 'suspended', why, hasExited: false } })
    const { id } = await askOnce(suspended)
    await endSession(needs, suspended.id, { type: 'exited', code: 0 })
    expect(await stateOf(id)).toMatchObject({ type: 'void' })
    expect(await decideApproval(needs, id, ALLOW)).toMatchObject(refused('void'))
  })

  it('is withdrawn when the turn that asked has ended', async () => {
    const turn = { type: 'interrupted' } as const
    const interrupted = await storeSession({ conversation: { ...session.conversation, turn } })
    const { id } = await askOnce(interrupted)
    await reactToTurn(needs, interrupted.id)
    expect(await stateOf(id)).toEqual({ type: 'void', reason: 'the turn that asked has ended' })
    expect(await decideApproval(needs, id, ALLOW)).toMatchObject(refused('void'))
    expect(await inputs(interrupted)).toEqual([])
  })

  it('is decided and withdrawn never both, if the program exits at that moment', async () => {
    const { id } = await askOnce()
    const [decided] = await Promise.all([
      decideApproval(needs, id, ALLOW),
      endSession(needs, session.id, { type: 'exited', code: 0 }),
    ])
    expect((await stateOf(id))?.type).toBe(decided.ok ? 'allowed' : 'void')
    expect(await decisionsReported()).toBe(1)
  })
})

describe('the digest of an action', () => {
  it('does not depend on the order of keys, and depends on everything else', () => {
    const digest = canonicalDigest({ tool: 'shell', input: { a: [1, 2], b: { c: null } } })
    expect(canonicalDigest({ input: { b: { c: null }, a: [1, 2] }, tool: 'shell' })).toBe(digest)
    const others = [
      { tool: 'shell', input: { a: [2, 1], b: { c: null } } },
      { tool: 'shell', input: { a: [1, 2], b: { c: 'null' } } },
      { tool: 'shell ', input: { a: [1, 2], b: { c: null } } },
      { tool: 'shell', input: { a: [1, 2], b: {}, c: null } },
    ].map(canonicalDigest)
    expect(new Set([digest, ...others]).size).toBe(5)
  })
})

describe('a decision with a scope', () => {
  const make = (requestId: string, command = 'make', extra = {}) =>
    request(requestId, { command, ...extra }, 'Bash')
  const decide = async (approval: Approval | undefined, scope: 'job' | 'session') => {
    if (approval === undefined) throw new Error('nothing was asked')
    const decided = await decideApproval(needs, approval.id, ALLOW, { digest: approval.digest, scope })
    expect(decided).toMatchObject({ ok: true })
  }
  const states = (approvals: readonly Approval[]) => approvals.map(({ state }) => state.type)
  const rules = () => needs.store.read.approvalRules.list({ jobId: owner.job.id }, 10)

  it('allows exactly the same command in the whole job, and nothing else', async () => {
    const [first] = await ask([make('1', 'make', { description: 'Build' })])
    await decide(first, 'job')
    const again = await ask([make('2', 'make', { description: 'Again' }), make('3', 'make clean')])
    expect(states(again)).toEqual(['allowed', 'allowed', 'pending'])
    const [rule] = await rules()
    expect(again[1]?.state).toEqual({ type: 'allowed', by: ALLOW.by, ruleId: rule?.id })
    const events = (await trial.eventsOf(owner.job.id)).map(({ data }) => data)
    expect(events).toContainEqual(expect.objectContaining({ approvalId: again[1]?.id, ruleId: rule?.id }))
    expect(events).toContainEqual(expect.objectContaining({ approvalId: again[1]?.id, isAtOnce: true }))
    const other = await storeSession({ agentName: 'two' })
    expect(states(await ask([make('1')], other))).toEqual(['allowed'])
    expect(await inputs(other)).toEqual([{ type: 'decide', requestId: '1', decision: { type: 'allow' } }])
  })

  it('allows the same kind of action with the same tool in the session only', async () => {
    const asked = await ask([make('1'), make('2', 'ls'), request('3', { file_path: 'a' }, 'Write')])
    await decide(asked[0], 'session')
    expect(states(await ask([make('4', 'rm -rf /')]))).toEqual(['allowed', 'allowed', 'pending', 'allowed'])
    expect(states(await ask([make('1')], await storeSession({ agentName: 'two' })))).toEqual(['pending'])
  })

  it('answers a request once if its lines are read again after a crash', async () => {
    await decide((await ask([make('1')]))[0], 'session')
    await ask([make('2')])
    await ask([make('2')])
    expect(await inputs()).toHaveLength(2)
  })

  it('ends when it is revoked, and with the job', async () => {
    await decide((await ask([make('1')]))[0], 'job')
    const [rule] = await rules()
    if (rule === undefined) throw new Error('no rule was made')
    expect(await revokeRule(needs, rule.id)).toMatchObject({
      ok: true,
      value: { revokedBy: expect.any(String) },
    })
    expect(states(await ask([make('2')]))).toEqual(['allowed', 'pending'])
    await decide((await ask())[1], 'job')
    await cancelJob(needs, owner.job.id)
    const late = await storeSession({ agentName: 'two' })
    expect(states(await ask([make('1')], late))).toEqual(['pending'])
  })

  it('is refused for a landing, and for a denial', async () => {
    const [approval] = await ask([make('1')])
    if (approval === undefined) throw new Error('nothing was asked')
    expect(await decideApproval(needs, approval.id, DENY, { scope: 'job' })).toMatchObject({
      failure: { type: 'scope-unavailable' },
    })
    expect(await stateOf(approval.id)).toEqual({ type: 'pending' })
    expect(await rules()).toEqual([])
  })
})
