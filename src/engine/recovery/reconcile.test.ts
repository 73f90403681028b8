import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openEngineWorld } from '../../../test/support/engine-world.ts'
import {
  type ExampleTask,
  exampleAttempt,
  exampleChange,
  exampleMessage,
  exampleSession,
  ids,
  storeExampleTask,
} from '../../../test/support/example-records.ts'
import { createHostTrial, type HostTrial } from '../../../test/support/hosts/host-trial.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { createLocalDisk } from '../../adapters/disk/local/local-disk.ts'
import type { Database } from '../../adapters/store/postgres/database.ts'
import { createPostgresStore } from '../../adapters/store/postgres/postgres-store.ts'
import type { Approval } from '../../domain/approval/approval.ts'
import type { Attempt, AttemptState } from '../../domain/attempt/attempt.ts'
import type { CyclePhase } from '../../domain/cycle/cycle.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobState } from '../../domain/job/job-state.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { CandidateState } from '../../domain/landing/candidate-state.ts'
import type { LandingState } from '../../domain/landing/landing.ts'
import type { MessageState } from '../../domain/message/message.ts'
import { USUAL_SANDBOX } from '../../domain/session/sandbox-policy.ts'
import type { Session } from '../../domain/session/session.ts'
import type { PurposeOf } from '../../domain/session/session-purpose.ts'
import type { SessionState } from '../../domain/session/session-state.ts'
import type { HostId } from '../../ports/session-host.ts'
import type { Work } from '../../ports/work-queue.ts'
import { clearAttempt } from '../attempts/clear-attempt.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { reconcile } from './reconcile.ts'

type Needs = Parameters<typeof reconcile>[0]

const EXIT = { type: 'exited', code: 0 } as const
const WAKE: Work = { type: 'admission-wake' }
const LATER = new Date('2100-01-01T00:00:00Z')
const parts = new AsyncDisposableStack()
let database: Kysely<Database>
let hosts: HostTrial
let needs: Needs
/** What the reconciler sent, adopted and wanted at a later time. */
const sent: Work[] = []
const adopted: SessionId[] = []
const alarms: { at: Date; work: Work }[] = []

beforeAll(async () => {
  const world = parts.use(await openEngineWorld())
  hosts = parts.use(await createHostTrial())
  database = world.database
  needs = {
    store: createPostgresStore({ database, sendWork: async () => () => undefined }),
    trees: world.hub.trees,
    host: hosts.host,
    disk: createLocalDisk(),
    settings: { ...world.settings, stopGraceMs: 0 },
    log: silentLog,
    adoptSession: (sessionId) => void adopted.push(sessionId),
    wakeAt: (at, work) => void alarms.push({ at, work }),
    send: async (work) => void sent.push(work),
  }
})

afterAll(() => parts.disposeAsync())

beforeEach(async () => {
  await sql`truncate projects, jobs, sessions, approvals, messages cascade`.execute(database)
  for (const directory of [needs.settings.treesDirectory, needs.settings.warmDirectory]) {
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { recursive: true })
  }
  for (const hostId of await needs.host.list()) {
    await needs.host.stop(hostId, 0)
    await needs.host.remove(hostId)
  }
})

/** Runs the reconciler once and returns what it sent, except the wake-up that it always sends. */
async function reconciled(changes: Partial<Needs> = {}): Promise<readonly Work[]> {
  sent.length = 0
  adopted.length = 0
  alarms.length = 0
  await reconcile({ ...needs, ...changes })
  expect(sent.filter(({ type }) => type === 'admission-wake')).toEqual([WAKE])
  return sent.filter(({ type }) => type !== 'admission-wake')
}

/** A job for which nothing is sent by itself, with a cycle and a task. */
const quietTask = () => storeExampleTask(needs.store, { state: { type: 'paused' } })
const store: Needs['store']['transact'] = (work) => needs.store.transact(work)

async function storeSession(job: Job, fields: Partial<Session>): Promise<Session> {
  return await store((records) => records.sessions.insert(exampleSession(job, fields), exampleChange()))
}

async function storeAttempt(
  { job, task }: ExampleTask,
  state: AttemptState,
  fields: Partial<Attempt> = {},
): Promise<Attempt> {
  const attempt = exampleAttempt(job, { purpose: { type: 'task', taskId: task.id }, state, ...fields })
  return await store((records) => records.attempts.insert(attempt, exampleChange()))
}

/** An attempt in this state, and its session. */
async function storePair(
  state: AttemptState,
  fields: Partial<Session> = {},
): Promise<{ readonly attempt: Attempt; readonly session: Session }> {
  const owner = await quietTask()
  const sessionId = ids.next('session')
  const attempt = await storeAttempt(owner, state, { sessionId, tip: 'b'.repeat(40) })
  const purpose = { type: 'attempt', attemptId: attempt.id } as const
  return { attempt, session: await storeSession(owner.job, { id: sessionId, purpose, ...fields }) }
}

async function storeCandidate(job: Job, state: CandidateState): Promise<Candidate> {
  const candidate: Candidate = {
    id: ids.next('candidate'),
    jobId: job.id,
    branch: job.workingBranch,
    purpose: { type: 'base', commit: 'b'.repeat(40) },
    onto: 'a'.repeat(40),
    commit: 'c'.repeat(40),
    tree: 'd'.repeat(40),
    state,
    checks: [],
    version: 1,
    createdAt: new Date(),
  }
  return await store((records) => records.candidates.insert(candidate, exampleChange()))
}

const personal = (job: Job): PurposeOf<'personal'> => ({
  type: 'personal',
  projectId: job.projectId,
  repositoryPath: job.repositoryPath,
  baseCommit: job.baseCommit,
  branch: 'muster/me',
  agent: { name: 'one', provider: 'command', roles: [], env: [] },
  sandbox: USUAL_SANDBOX,
  prompt: 'look around',
})

describe('the reconciler', () => {
  it('wakes what waits for a slot, even if there are no rows', async () => {
    expect(await reconciled()).toEqual([])
    expect(sent).toEqual([WAKE])
  })

  const asked = { type: 'asked', reason: 'lunch' } as const
  const limited = { type: 'limited', reason: 'quota', until: LATER.toISOString() } as const
  const resume = { prompt: 'go on' }
  const waiting = { limit: 'global', value: 1, inUse: 1, since: LATER.toISOString() } as const
  it.each<[string, SessionState, readonly Work['type'][], 'adopts' | 'leaves']>([
    ['waits for a slot', { type: 'waiting', ...waiting }, [], 'leaves'],
    ['starts', { type: 'starting' }, ['session-start'], 'leaves'],
    ['starts again', { type: 'starting', resume }, ['session-resume'], 'leaves'],
    ['is running', { type: 'running', pid: 1, startTime: '1' }, [], 'adopts'],
    ['is being suspended', { type: 'suspended', why: asked, hasExited: false }, ['session-stop'], 'adopts'],
    ['is suspended', { type: 'suspended', why: asked, hasExited: true }, [], 'adopts'],
    ['is out of quota', { type: 'suspended', why: limited, hasExited: true }, ['session-resume'], 'adopts'],
    [
      'is suspended and asked to resume',
      { type: 'suspended', why: asked, hasExited: true, resume },
      ['session-resume'],
      'adopts',
    ],
    [
      'is asked to resume before its program has exited',
      { type: 'suspended', why: asked, hasExited: false, resume },
      ['session-stop', 'session-resume'],
      'adopts',
    ],
    [
      'is being stopped',
      { type: 'terminating', why: { type: 'cancelled', reason: 'x' } },
      ['session-stop'],
      'adopts',
    ],
    ['has ended', { type: 'terminated', end: EXIT }, [], 'leaves'],
  ])('sends what a session needs when it %s', async (_, state, types, adoption) => {
    const { job } = await quietTask()
    const { id: sessionId } = await storeSession(job, { state })
    expect(await reconciled()).toEqual(types.map((type) => ({ type, sessionId })))
    expect(adopted).toEqual(adoption === 'adopts' ? [sessionId] : [])
  })

  it.each<[AttemptState, boolean]>([
    [{ type: 'preparing' }, false],
    [{ type: 'running' }, false],
    [{ type: 'ended', end: EXIT, ending: 'done' }, true],
    [{ type: 'settled', outcome: { type: 'accepted' } }, false],
  ])('settles an attempt only once it has ended: $type', async (state, isSettled) => {
    const { id: attemptId } = await storeAttempt(await quietTask(), state)
    expect(await reconciled()).toEqual(isSettled ? [{ type: 'attempt-settle', attemptId }] : [])
  })

  it.each<[JobState, boolean]>([
    [{ type: 'pending' }, false],
    [{ type: 'running', pausing: false }, true],
    [{ type: 'running', pausing: true }, true],
    [{ type: 'paused' }, false],
    [{ type: 'completed', reason: 'goal-reached', evidence: [] }, false],
    [{ type: 'cancelled', reason: 'no' }, false],
    [{ type: 'error', error: 'broken' }, false],
  ])('advances a job, and keeps trees warm for it, only while it runs: $type', async (state, isAdvanced) => {
    const { job } = await storeExampleTask(needs.store, { state })
    const { id: jobId, projectId } = job
    expect(await reconciled()).toEqual(
      isAdvanced
        ? [
            { type: 'job-advance', jobId },
            { type: 'trees-warm', projectId },
          ]
        : [],
    )
  })

  it.each<[CyclePhase, number, boolean]>([
    ['discovery', 1, false],
    ['execution', 1, false],
    ['convergence', 1, false],
    ['update', 1, true],
    ['update', 2, false],
    ['done', 1, false],
  ])(
    'updates a cycle only in its own phase and if it is the current one: %s %i',
    async (phase, currentCycle, isUpdated) => {
      const { cycle } = await storeExampleTask(needs.store, { currentCycle })
      await store((records) => records.cycles.save({ ...cycle, phase }, exampleChange()))
      const updates = (await reconciled()).filter(({ type }) => type === 'cycle-update')
      expect(updates).toEqual(isUpdated ? [{ type: 'cycle-update', cycleId: cycle.id }] : [])
    },
  )

  const candidateId = ids.next('candidate')
  it.each<[LandingState, JobState['type'], boolean]>([
    [{ type: 'queued' }, 'running', true],
    [{ type: 'checking', candidateId }, 'running', true],
    [{ type: 'landed', commit: 'c', tree: 't' }, 'running', false],
    [{ type: 'conflicted', paths: [] }, 'running', false],
    [{ type: 'rejected', reason: 'no' }, 'running', false],
    [{ type: 'queued' }, 'paused', false],
  ])(
    'advances the merge queue of a running job with an open landing: $type',
    async (state, type, isAdvanced) => {
      const jobState =
        type === 'running' ? ({ type, pausing: false } as const) : ({ type: 'paused' } as const)
      const owner = await storeExampleTask(needs.store, { state: jobState })
      const { job, task } = owner
      const attempt = await storeAttempt(owner, { type: 'settled', outcome: { type: 'accepted' } })
      const landing = { id: ids.next('landing'), jobId: job.id, taskId: task.id, attemptId: attempt.id }
      const rest = { branch: 'b', tip: 'c', checks: [], batchLimit: 1, version: 1, createdAt: new Date() }
      await store((records) => records.landings.insert({ ...landing, ...rest, state }, exampleChange()))
      const advances = (await reconciled()).filter((work) => work.type === 'landing-advance')
      expect(advances).toEqual(isAdvanced ? [{ type: 'landing-advance', jobId: job.id }] : [])
    },
  )

  const approvalId = ids.next('approval')
  const checking = { type: 'checking', checkIndex: 0, suspects: [], lost: 0 } as const
  it.each<[CandidateState, boolean]>([
    [{ ...checking, sessionId: ids.next('session') }, true],
    [{ type: 'passed' }, true],
    [{ type: 'asking', approvalId }, true],
    [{ type: 'allowed', approvalId }, true],
    [{ type: 'failed', reason: 'no' }, true],
    [{ type: 'landed' }, false],
    [{ type: 'dropped', reason: 'no' }, false],
  ])(
    'advances the merge queue while a candidate is open, even of an ended job: $type',
    async (state, isOpen) => {
      const { job } = await storeExampleTask(needs.store, {
        state: { type: 'completed', reason: 'goal-reached', evidence: [] },
      })
      await storeCandidate(job, state)
      expect(await reconciled()).toEqual(isOpen ? [{ type: 'landing-advance', jobId: job.id }] : [])
    },
  )

  it.each<[Approval['state'], boolean]>([
    [{ type: 'pending' }, true],
    [{ type: 'allowed', by: 'grace' }, false],
    [{ type: 'denied', by: 'grace', reason: 'no' }, false],
    [{ type: 'expired' }, false],
    [{ type: 'void', reason: 'gone' }, false],
  ])('sets the alarm of a pending approval request again: $type', async (state, isPending) => {
    const { job } = await quietTask()
    const session = await storeSession(job, {})
    const approval = approvalOf(session, state)
    await store((records) => records.approvals.insert(approval, exampleChange()))
    expect(await reconciled()).toEqual([])
    const expiry = { at: LATER, work: { type: 'approval-expire', approvalId: approval.id } }
    expect(alarms).toEqual(isPending ? [expiry] : [])
  })

  it.each<[MessageState]>([
    [{ type: 'queued' }],
    [{ type: 'delivered', to: 'person' }],
    [{ type: 'acknowledged', by: 'person' }],
    [{ type: 'failed', reason: 'no one read it' }],
  ])('sends nothing for a message, which its reader fetches: $type', async (state) => {
    const { job } = await quietTask()
    await store(async (records) => {
      const message = exampleMessage({ jobId: job.id, recipient: 'role:worker', state })
      await records.messages.insert(message, exampleChange())
    })
    expect(await reconciled()).toEqual([])
    expect([adopted, alarms]).toEqual([[], []])
  })

  it('adjusts the warm trees of a project even if none of its jobs run', async () => {
    const { job } = await quietTask()
    await mkdir(join(needs.settings.warmDirectory, job.projectId))
    await mkdir(join(needs.settings.warmDirectory, 'not-a-project'))
    expect(await reconciled()).toEqual([{ type: 'trees-warm', projectId: job.projectId }])
  })

  it('sends the same again and stores nothing, however often it runs', async () => {
    const owner = await storeExampleTask(needs.store)
    const attempt = await storeAttempt(owner, { type: 'ended', end: EXIT, ending: 'done' })
    const session = await storeSession(owner.job, { state: { type: 'starting' } })
    await storeSession(owner.job, {})
    await store((records) =>
      records.approvals.insert(approvalOf(session, { type: 'pending' }), exampleChange()),
    )
    await storeCandidate(owner.job, { type: 'passed' })
    await makeTree(attempt.id)
    const before = await everything()
    const first = await reconciled()
    expect(first.length).toBeGreaterThan(4)
    expect(await reconciled()).toEqual(first)
    expect(await everything()).toEqual(before)
  })
})

function approvalOf(session: Session, state: Approval['state']): Approval {
  const { id: sessionId, processNumber, jobId } = session
  return {
    id: ids.next('approval'),
    ...(jobId === undefined ? {} : { jobId }),
    asker: { type: 'session', sessionId, processNumber, requestId: '1' },
    digest: 'digest',
    action: { type: 'tool-use', tool: 'shell', input: {}, directory: '/' },
    state,
    version: 1,
    createdAt: new Date(),
    expiresAt: LATER,
  }
}

/** All rows, and the names of all trees and hosts. */
async function everything(): Promise<unknown> {
  const tables = [
    'jobs',
    'cycles',
    'tasks',
    'attempts',
    'sessions',
    'candidates',
    'approvals',
    'events',
    'audit',
  ]
  const rows = tables.map((table) => sql`select * from ${sql.table(table)} order by 1, 2`.execute(database))
  const found = await Promise.all(rows)
  const trees = await readdir(needs.settings.treesDirectory)
  return [found.map((result) => result.rows), trees, await needs.host.list()]
}

const treeOf = (name: string) => join(needs.settings.treesDirectory, name)

async function makeTree(name: string): Promise<void> {
  await mkdir(treeOf(name))
  await writeFile(join(treeOf(name), 'file'), 'text')
}

const trees = () => readdir(needs.settings.treesDirectory)
const hostIdOf = (name: string) => name as HostId

describe('a tree that a crash left behind', () => {
  it.each<[AttemptState, boolean]>([
    [{ type: 'preparing' }, false],
    [{ type: 'running' }, false],
    [{ type: 'ended', end: EXIT, ending: 'done' }, false],
    [{ type: 'settled', outcome: { type: 'cancelled' } }, true],
  ])('is cleared once its attempt is settled: $type', async (state, isCleared) => {
    const { id: attemptId } = await storeAttempt(await quietTask(), state)
    await makeTree(attemptId)
    await writeFile(`${treeOf(attemptId)}.index`, '')
    const clears = (await reconciled()).filter(({ type }) => type === 'attempt-clear')
    expect(clears).toEqual(isCleared ? [{ type: 'attempt-clear', attemptId }] : [])
    expect(await trees()).toContain(attemptId)
  })

  it.each<[SessionState, boolean]>([
    [{ type: 'running', pid: 1, startTime: '1' }, false],
    [{ type: 'terminated', end: EXIT }, true],
  ])('is cleared once its personal session has ended: $type', async (state, isCleared) => {
    const { job } = await quietTask()
    const { id: sessionId } = await storeSession(job, { state, purpose: personal(job) })
    await makeTree(sessionId)
    expect(await reconciled()).toEqual(isCleared ? [{ type: 'session-clear', sessionId }] : [])
  })

  it.each<[CandidateState, boolean]>([
    [{ type: 'checking', checkIndex: 0, suspects: [], lost: 0, sessionId: ids.next('session') }, true],
    [{ type: 'passed' }, false],
    [{ type: 'landed' }, false],
    [{ type: 'dropped', reason: 'no' }, false],
  ])('is kept for a candidate only while the candidate is checked: $type', async (state, isKept) => {
    const { job } = await quietTask()
    const { id } = await storeCandidate(job, state)
    await makeTree(id)
    await reconciled()
    expect(await trees()).toEqual(isKept ? [id] : [])
  })

  it('is left alone if no row says what it is, unless it was only checked', async () => {
    const names = [ids.next('attempt'), ids.next('session'), 'notes'].sort()
    const checked = [ids.next('candidate'), ids.next('baseline')]
    for (const name of [...names, ...checked]) await makeTree(name)
    expect(await reconciled()).toEqual([])
    expect((await trees()).sort()).toEqual(names)
  })

  it('is removed with the hosts of its attempt, and then nothing is left to do', async () => {
    const end = { type: 'terminated', end: EXIT } as const
    const { attempt, session } = await storePair(
      { type: 'settled', outcome: { type: 'accepted' } },
      { state: end },
    )
    await makeTree(attempt.id)
    await needs.host.prepare(hostIdOf(session.id))
    expect(await reconciled()).toEqual([{ type: 'attempt-clear', attemptId: attempt.id }])
    await clearAttempt({ ...needs, terminals: {} as EngineNeeds['terminals'] }, attempt.id)
    expect([await trees(), await needs.host.list()]).toEqual([[], []])
    expect(await reconciled()).toEqual([])
  })
})

describe('a host that a crash left behind', () => {
  const SETTLED: AttemptState = { type: 'settled', outcome: { type: 'accepted' } }
  const ENDED: AttemptState = { type: 'ended', end: EXIT, ending: 'done' }
  const TERMINATED: SessionState = { type: 'terminated', end: EXIT }

  it('is removed if its session has ended and its attempt is settled', async () => {
    const { session } = await storePair(SETTLED, { state: TERMINATED })
    await needs.host.prepare(hostIdOf(session.id))
    await reconciled()
    expect(await needs.host.list()).toEqual([])
  })

  it('is kept while its attempt is not settled, because the answer is in its output', async () => {
    const { session } = await storePair(ENDED, { state: TERMINATED })
    await needs.host.prepare(hostIdOf(session.id))
    await reconciled()
    expect(await needs.host.list()).toEqual([session.id])
  })

  it('is stopped and removed if no session has its name', async () => {
    const hostId = await hosts.run('exec sleep 600')
    await reconciled()
    expect(await needs.host.list()).toEqual([])
    expect(await hosts.survivors()).toEqual([])
    expect((await needs.host.inspect(hostId)).type).toBe('absent')
  })

  it('is stopped if its program started while its session was ending', async () => {
    const { session } = await storePair(ENDED, { state: TERMINATED })
    const hostId = await hosts.run('exec sleep 600', { hostId: hostIdOf(session.id) })
    await reconciled()
    expect((await needs.host.inspect(hostId)).type).toBe('signalled')
    expect(await hosts.survivors()).toEqual([])
  })

  it('is left running if its session is live', async () => {
    const { session } = await storePair({ type: 'running' })
    const hostId = await hosts.run('exec sleep 600', { hostId: hostIdOf(session.id) })
    await reconciled()
    expect((await needs.host.inspect(hostId)).type).toBe('running')
  })

  it('is stopped if it is of an earlier process, and the next process is left alone', async () => {
    const { session } = await storePair({ type: 'running' }, { processNumber: 2 })
    const names = [session.id, `${session.id}.2`, `${session.id}.3`].map(hostIdOf)
    for (const hostId of names) await hosts.run('exec sleep 600', { hostId })
    await reconciled()
    const states = await Promise.all(names.map((hostId) => needs.host.inspect(hostId)))
    expect(states.map(({ type }) => type)).toEqual(['signalled', 'running', 'running'])
  })

  it('is removed if it is of an earlier process that nothing needs', async () => {
    const { job } = await quietTask()
    const session = await storeSession(job, { purpose: personal(job), processNumber: 2 })
    for (const name of [session.id, `${session.id}.2`]) await needs.host.prepare(hostIdOf(name))
    await reconciled()
    expect(await needs.host.list()).toEqual([`${session.id}.2`])
  })

  it('does not block the others if it cannot be removed', async () => {
    const hostIds = [ids.next('session'), ids.next('session')].map(hostIdOf)
    for (const hostId of hostIds) await needs.host.prepare(hostId)
    const { id } = await storeCandidate((await quietTask()).job, { type: 'landed' })
    await makeTree(id)
    const [stuck] = await needs.host.list()
    const warnings: unknown[] = []
    await reconciled({
      host: {
        ...needs.host,
        remove: (hostId) =>
          hostId === stuck ? Promise.reject(new Error('EBUSY')) : needs.host.remove(hostId),
      },
      log: { ...silentLog, warn: (fields) => void warnings.push(fields) },
    })
    expect([await needs.host.list(), await trees()]).toEqual([[stuck], []])
    expect(warnings).toEqual([{ name: stuck, error: 'Error: EBUSY' }])
  })
})
