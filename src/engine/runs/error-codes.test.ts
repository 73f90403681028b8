import { execFileSync } from 'node:child_process'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleChange, ids } from '../../../test/support/example-records.ts'
import { type Move, openRunPlay, type RunPlay, type TestRun } from '../../../test/support/played-run.ts'
import { take } from '../../../test/support/take.ts'
import { type TemporaryDirectory, temporaryDirectory } from '../../../test/support/temporary-directory.ts'
import { writtenPlaybook } from '../../../test/support/written-playbook.ts'
import type { Approval } from '../../domain/approval/approval.ts'
import type { Outcome } from '../../domain/playbook/outcome.ts'
import { ERROR_CODES, type ErrorCode } from '../../domain/run/error-code.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionEnd, SessionState, Suspension } from '../../domain/session/session-state.ts'
import { showRun } from '../queries/runs.ts'
import { continueRun } from './continue-run.ts'

// Each error code through the real engine: what is done about it, and that it ends.

const MINUTE = 60_000
const ALONE = { agents: ['worker'] }
const TWO = { agents: ['worker', 'reviewer'] }

let trial: RunPlay
let folder: TemporaryDirectory
/** Every code that a run of this file reported. */
const seen = new Set<ErrorCode>()

beforeAll(async () => {
  folder = await temporaryDirectory('muster-codes')
  trial = await openRunPlay()
})
afterAll(async () => {
  await trial[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

type Options = {
  readonly agents: readonly string[]
  readonly recover?: object
  readonly output?: string
  readonly stages?: object
  readonly start?: string
}

let playbooks = 0

/** Starts a run whose only stage, unless others are given, is `work`. */
async function follow({ agents, recover = {}, output = 'change', stages, start }: Options): Promise<TestRun> {
  playbooks += 1
  const mode = output === 'change' ? 'write' : 'read'
  const work = { role: 'developer', sees: ['goal'], output, on: { done: 'end.land', failed: 'end.failed' } }
  const playbook = {
    roles: { developer: { mode, prompt: './developer.md', agents } },
    limits: { minutes: 240, parallel: 1 },
    start: start ?? 'work',
    stages: stages ?? { work },
    result: { partial: 'keep' },
    recover,
  }
  return await trial.start(await writtenPlaybook(folder.path, `playbook-${playbooks}`, playbook))
}

const view = async (run: TestRun) => take(await showRun(run.needs, run.id))
const visitOf = async (run: TestRun): Promise<Visit> => {
  const visit = (await view(run)).visits.at(-1)
  if (visit === undefined) throw new Error('there is no visit')
  return visit
}

/** What the run reports: each code, and what was done about it. */
async function errorsOf(run: TestRun): Promise<readonly (readonly [ErrorCode, string])[]> {
  const { errors } = await view(run)
  for (const { code } of errors) seen.add(code)
  return errors.map(({ code, action }) => [code, action])
}

const attemptsOf = async (run: TestRun) => {
  const { taskId } = (await view(run)).run
  return await run.needs.store.read.attempts.listOfTask(taskId)
}

const FAILED = { outcome: 'failed' } as const
const ended = (end: SessionEnd): Move => ({ ...FAILED, end })
const failedTurn = { type: 'finished', turn: { type: 'failed', reason: 'overloaded' } } as const

/** Leaves a nested repository that can't be collected, because its name is no text. */
async function spoil(directory: string): Promise<void> {
  const nested = join(directory, 'nested')
  await mkdir(nested)
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b.example']
  execFileSync('git', ['init', '-q', nested])
  execFileSync('git', [...identity, '-C', nested, 'commit', '-q', '--allow-empty', '-m', 'nested'])
  await rename(nested, Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0xff])]))
}

describe('a visit that is always in the same trouble', () => {
  it.each<readonly [ErrorCode, Move, readonly string[], readonly string[]]>([
    [
      'AGENT_SPAWN_FAILED',
      ended({ type: 'unstarted', reason: 'no such program' }),
      ['restart'],
      ['restart', 'substitute'],
    ],
    [
      'GIT_WORKTREE_FAILED',
      ended({ type: 'unstarted', reason: 'disk full', part: 'tree' }),
      ['restart'],
      ['restart', 'substitute'],
    ],
    ['AGENT_TIMEOUT', ended({ type: 'timed-out', afterMs: MINUTE }), ['restart'], ['restart', 'substitute']],
    [
      'AGENT_CRASHED',
      ended({ type: 'signalled', signal: 9 }),
      ['restart', 'restart'],
      ['restart', 'restart', 'substitute'],
    ],
    ['CLAUDE_API_ERROR', ended(failedTurn), ['restart', 'restart'], ['restart', 'restart', 'substitute']],
    ['FILESYSTEM_ERROR', { outcome: 'done', inTree: spoil }, ['restart', 'restart'], ['restart', 'restart']],
  ])(
    '%s is tried again where it started, and given up in the end',
    async (code, move, alone, withAnother) => {
      for (const [options, actions] of [
        [ALONE, alone],
        [TWO, withAnother],
      ] as const) {
        const run = await follow(options)
        const { run: over, visits } = await run.play(() => move)
        expect(await errorsOf(run)).toEqual([...actions, 'give-up'].map((action) => [code, action]))
        expect(over.state).toMatchObject({ type: 'ended', end: 'failed' })
        expect(over.recoveries).toBe(actions.length)
        // Every try is an attempt of its own, of the agent that it was given to, and starts from the same commit.
        const attempts = await attemptsOf(run)
        expect(attempts.map(({ agent }) => agent.name)).toEqual([
          'one',
          ...actions.map((action) => (action === 'substitute' ? 'two' : 'one')),
        ])
        expect(new Set(attempts.map(({ baseCommit }) => baseCommit)).size).toBe(1)
        const waits = (visits[0]?.troubles ?? []).flatMap(({ at, until }) =>
          until === undefined ? [] : [Date.parse(until) - Date.parse(at)],
        )
        expect(waits).toEqual(actions.map((_, index) => 5_500 * 2 ** index))
      }
    },
  )

  it('AGENT_INVALID_OUTPUT is asked for again with the reason, then by another agent', async () => {
    const run = await follow({ ...TWO, output: 'document' })
    const { run: over } = await run.play(() => ({ outcome: 'done', answer: { title: 'no text' } }))
    expect(await errorsOf(run)).toEqual(
      ['ask-again', 'ask-again', 'substitute', 'give-up'].map((action) => ['AGENT_INVALID_OUTPUT', action]),
    )
    expect(over.state).toMatchObject({ type: 'ended', end: 'failed' })
    const [, second] = await attemptsOf(run)
    const assignment = second === undefined ? undefined : await run.needs.assignments.find(second)
    const job = await run.needs.store.read.jobs.find(over.jobId)
    if (second === undefined || job === undefined) throw new Error('nobody was asked again')
    expect(await assignment?.prompt(job, second)).toContain('`text` is missing')
  })

  it('AGENT_INVALID_OUTPUT asks a person if nobody else is left, who can let it try again', async () => {
    const run = await follow({ ...ALONE, output: 'document', recover: { perVisit: 4 } })
    const answers: Outcome[] = ['allowed', 'denied']
    const { run: over } = await run.play(({ state }) =>
      state.type === 'asking'
        ? { outcome: answers.shift() ?? 'expired' }
        : { outcome: 'done', answer: { title: 'no text' } },
    )
    expect(answers).toEqual(['denied'])
    const actions = ['ask-again', 'ask-again', 'escalate', 'give-up']
    expect((await errorsOf(run)).map(([, action]) => action)).toEqual(actions)
    expect(over.state).toMatchObject({ type: 'ended', end: 'failed' })
    expect(await attemptsOf(run)).toHaveLength(4)
  })

  it('is given up once the tries of the run are used', async () => {
    const run = await follow({ ...TWO, recover: { perRun: 1 } })
    await run.play(() => FAILED)
    expect((await view(run)).errors).toMatchObject([
      { action: 'restart', strategy: 'restart', recoverable: true },
      { action: 'give-up', strategy: 'skip', because: 'run' },
    ])
  })

  it('ends the run if the playbook says so', async () => {
    const run = await follow({ ...TWO, recover: { crashed: ['restart', 'abort'] } })
    const { run: over } = await run.play(() => FAILED)
    expect((await errorsOf(run)).map(([, action]) => action)).toEqual(['restart', 'abort'])
    expect(over.state).toMatchObject({ end: 'failed', reason: expect.stringContaining('work was aborted') })
  })
})

/** The session that works on the newest visit. */
async function sessionOf(run: TestRun): Promise<Session> {
  const { read } = run.needs.store
  const { attemptId } = await visitOf(run)
  const attempt = attemptId === undefined ? undefined : await read.attempts.find(attemptId)
  const session = attempt === undefined ? undefined : await read.sessions.find(attempt.sessionId)
  if (session === undefined) throw new Error('nobody works')
  return session
}

async function store(run: TestRun, fields: Partial<Session>): Promise<void> {
  const session = await sessionOf(run)
  await run.needs.store.transact((records) =>
    records.sessions.save({ ...session, ...fields }, exampleChange()),
  )
}

const RUNNING: SessionState = { type: 'running', pid: 1, startTime: '1' }

/** Suspends the session as its listener would, and lets the run see it. */
async function suspend(run: TestRun, why: Suspension): Promise<void> {
  await store(run, { state: { type: 'suspended', why, hasExited: true } })
  await continueRun(run.needs, run.id)
}

const later = ({ needs }: TestRun, ms: number) => new Date(needs.clock.now().getTime() + ms).toISOString()

/** Without quota for a while; then its session goes on by itself. */
async function limit(run: TestRun): Promise<void> {
  await suspend(run, { type: 'limited', reason: 'out of quota', until: later(run, MINUTE) })
  if ((await sessionOf(run)).state.type !== 'suspended') return
  run.pass(MINUTE)
  await store(run, { state: RUNNING })
}

describe('RATE_LIMITED', () => {
  it('parks the visit, which costs no try and ends after a few waits', async () => {
    const run = await follow(ALONE)
    for (let wait = 1; wait <= 5; wait += 1) await limit(run)
    expect(await errorsOf(run)).toEqual(Array(5).fill(['RATE_LIMITED', 'park']))
    expect((await view(run)).run.recoveries).toBe(0)
    await limit(run)
    expect((await sessionOf(run)).state).toMatchObject({ type: 'terminated' })
    const { run: over } = await run.play(() => ended({ type: 'cancelled', reason: 'out of quota' }))
    expect((await errorsOf(run)).at(-1)).toEqual(['RATE_LIMITED', 'give-up'])
    expect(over.state).toMatchObject({ type: 'ended', end: 'failed' })
    expect(await attemptsOf(run)).toHaveLength(1)
  })

  it('gives the visit to another agent after the first wait', async () => {
    const run = await follow(TWO)
    await limit(run)
    await limit(run)
    await run.end(await visitOf(run), ended({ type: 'cancelled', reason: 'out of quota' }))
    const { run: over } = await run.play(() => ({ outcome: 'done' }))
    expect(await errorsOf(run)).toEqual([
      ['RATE_LIMITED', 'park'],
      ['RATE_LIMITED', 'substitute'],
    ])
    expect((await view(run)).errors.every(({ recovered }) => recovered === true)).toBe(true)
    expect((await attemptsOf(run)).map(({ agent }) => agent.name)).toEqual(['one', 'two'])
    expect(over).toMatchObject({ recoveries: 1, state: { end: 'land' } })
  })
})

describe('NETWORK_ERROR', () => {
  it('is waited for by the session, noted once, and ends with the time of the run', async () => {
    const run = await follow(ALONE)
    const unready = { type: 'unready', cause: 'network', reason: 'no network', remedy: 'wait' } as const
    for (let wait = 1; wait <= 3; wait += 1) {
      await suspend(run, { ...unready, until: later(run, MINUTE) })
      await continueRun(run.needs, run.id)
      run.pass(MINUTE)
    }
    expect(await errorsOf(run)).toEqual([['NETWORK_ERROR', 'wait']])
    run.pass(240 * MINUTE)
    await continueRun(run.needs, run.id)
    expect(await errorsOf(run)).toEqual([
      ['NETWORK_ERROR', 'wait'],
      ['WORKFLOW_TIMEOUT', 'abort'],
    ])
    expect((await view(run)).run).toMatchObject({ recoveries: 0, state: { type: 'ended', end: 'failed' } })
  })
})

describe('AGENT_TIMEOUT', () => {
  it('first asks the agent to finish, in its conversation, once', async () => {
    const run = await follow(ALONE)
    const session = await sessionOf(run)
    const { conversation, outOffset: fromOut, errOffset: fromErr } = session
    await run.needs.store.transact((records) =>
      records.sessions.advance([
        {
          sessionId: session.id,
          fromOut,
          toOut: fromOut + 1,
          fromErr,
          toErr: fromErr,
          events: [],
          conversation: { ...conversation, dialogue: {} },
        },
      ]),
    )
    await store(run, { state: RUNNING })
    const [attempt] = await attemptsOf(run)
    const job = await run.needs.store.read.jobs.find((await view(run)).run.jobId)
    const assignment = attempt === undefined ? undefined : await run.needs.assignments.find(attempt)
    if (attempt === undefined || job === undefined) throw new Error('nobody works')
    const nudge = async () => await assignment?.nudge?.(job, attempt, session.id)
    const graceMs = await nudge()
    expect(graceMs).toBe(run.needs.settings.nudgeGraceMs)
    // Repeated because the answer was lost: it isn't asked again.
    run.pass(1_000)
    expect(await nudge()).toBe((graceMs ?? 0) - 1_000)
    const inputs = await run.needs.store.read.sessions.pendingInputs([session.id])
    expect(inputs.map(({ input }) => input.type)).toEqual(['interrupt', 'say'])
    run.pass(graceMs ?? 0)
    expect(await nudge()).toBeUndefined()
    const { run: over } = await run.play(() => ended({ type: 'timed-out', afterMs: MINUTE }))
    expect(await errorsOf(run)).toEqual(
      ['nudge', 'restart', 'give-up'].map((action) => ['AGENT_TIMEOUT', action]),
    )
    expect(over).toMatchObject({ recoveries: 2, state: { end: 'failed' } })
  })
})

describe('AGENT_BLOCKED', () => {
  it('is noted when an agent asks for permission, which costs no try', async () => {
    const run = await follow(ALONE)
    await store(run, { state: RUNNING })
    const { id: sessionId, jobId } = await sessionOf(run)
    for (const requestId of ['1', '2']) {
      const createdAt = run.needs.clock.now()
      const approval: Approval = {
        id: ids.next('approval'),
        ...(jobId === undefined ? {} : { jobId }),
        asker: { type: 'session', sessionId, processNumber: 1, requestId },
        digest: requestId,
        action: { type: 'tool-use', tool: 'Bash', input: { command: 'npm test' }, directory: '/' },
        state: { type: 'pending' },
        version: 1,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + MINUTE),
      }
      await run.needs.store.transact((records) => records.approvals.insert(approval, exampleChange()))
      await continueRun(run.needs, run.id)
      await continueRun(run.needs, run.id)
      expect(await errorsOf(run)).toEqual([['AGENT_BLOCKED', 'escalate']])
      run.pass(MINUTE)
      await run.needs.store.transact((records) =>
        records.approvals.save({ ...approval, state: { type: 'expired' } }, exampleChange()),
      )
    }
    expect((await view(run)).errors[0]).toMatchObject({
      message: 'it needs permission to run: npm test',
      severity: 'warning',
    })
    const { run: over } = await run.play(() => ({ outcome: 'done' }))
    expect((await view(run)).errors).toMatchObject([{ code: 'AGENT_BLOCKED', recovered: true }])
    expect(over).toMatchObject({ recoveries: 0, state: { end: 'land' } })
  })

  it('is noted when a program needs a log-in, and ends with the time of the run', async () => {
    const run = await follow(ALONE)
    await suspend(run, { type: 'unready', cause: 'login', reason: 'not logged in', remedy: 'log in' })
    await continueRun(run.needs, run.id)
    expect((await view(run)).errors).toMatchObject([
      { code: 'AGENT_BLOCKED', action: 'escalate', message: 'not logged in' },
    ])
    run.pass(240 * MINUTE)
    await continueRun(run.needs, run.id)
    expect((await view(run)).run.state).toMatchObject({ type: 'ended', end: 'failed' })
    expect((await errorsOf(run)).at(-1)).toEqual(['WORKFLOW_TIMEOUT', 'abort'])
  })
})

describe('an agent whose program cannot work before a person helps', () => {
  const unready = { type: 'unready', cause: 'login', reason: 'not logged in', remedy: 'log in' } as const

  it('is replaced at once by another agent of its role, and waits for the person only if it is the last', async () => {
    const run = await follow(TWO)
    await suspend(run, unready)
    expect((await sessionOf(run)).state).toMatchObject({ type: 'terminated' })
    await run.end(await visitOf(run), ended({ type: 'cancelled', reason: 'not logged in' }))
    expect(await errorsOf(run)).toEqual([['AGENT_SPAWN_FAILED', 'substitute']])
    run.pass(MINUTE)
    await continueRun(run.needs, run.id)
    expect((await attemptsOf(run)).map(({ agent }) => agent.name)).toEqual(['one', 'two'])
    await suspend(run, unready)
    expect((await sessionOf(run)).state).toMatchObject({ type: 'suspended', why: unready })
    expect((await errorsOf(run)).at(-1)).toEqual(['AGENT_BLOCKED', 'escalate'])
  })
})

/** An object with this key looks like a promise to the linter. */
const BEYOND = 'then'

const developing = (on: object) => ({ role: 'developer', sees: ['goal'], output: 'change', on })

describe('a run', () => {
  it('WORKFLOW_TIMEOUT ends with the best work so far, and names the visit that was cut off', async () => {
    const stages = {
      work: developing({ done: 'polish', failed: 'end.failed' }),
      polish: developing({ done: 'end.land', failed: 'end.partial' }),
    }
    const run = await follow({ ...ALONE, stages })
    await run.end(await visitOf(run), { outcome: 'done' })
    run.pass(240 * MINUTE)
    await continueRun(run.needs, run.id)
    await continueRun(run.needs, run.id)
    expect(await errorsOf(run)).toEqual([['WORKFLOW_TIMEOUT', 'abort']])
    expect(await view(run)).toMatchObject({
      run: { state: { type: 'ended', end: 'partial' } },
      errors: [{ stage: 'polish', recovered: false, message: expect.stringContaining('240 minutes') }],
    })
  })

  it('MAX_ITERATIONS takes the way beyond a limited route', async () => {
    const stages = {
      work: developing({ done: 'check', failed: 'end.failed' }),
      check: {
        checks: 'project',
        on: { pass: 'end.land', fail: { next: 'work', max: 1, [BEYOND]: 'end.partial' } },
      },
    }
    const run = await follow({ ...ALONE, stages })
    const { run: over } = await run.play((_, { type }) => ({ outcome: type === 'checks' ? 'fail' : 'done' }))
    expect(await errorsOf(run)).toEqual([['MAX_ITERATIONS', 'skip']])
    expect(over.state).toMatchObject({ type: 'ended', end: 'partial' })
  })

  it('STAGE_FAILED takes the route of the outcome failed', async () => {
    const inner = { playbook: 'solo', on: { complete: 'work', partial: 'work', failed: 'work' } }
    const stages = { inner, work: developing({ done: 'end.land', failed: 'end.failed' }) }
    // The trial pins no other playbook, so the stage can't begin.
    const run = await follow({ ...ALONE, stages, start: 'inner' })
    const { run: over } = await run.play(() => ({ outcome: 'done' }))
    expect(await errorsOf(run)).toEqual([['STAGE_FAILED', 'skip']])
    expect(over.state).toMatchObject({ type: 'ended', end: 'land' })
  })
})

it('covers every code', () => {
  expect(seen).toEqual(new Set(Object.keys(ERROR_CODES)))
})
