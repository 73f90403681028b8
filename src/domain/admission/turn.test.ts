import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JobId, ProjectId, SessionId, TaskId } from '../id.ts'
import type { Priority } from '../task/task.ts'
import { type Occupant, type StartRequest, type Usage, withAdmitted } from './admit.ts'
import { admitInTurn, compareTurns, type Turn, type Waiter } from './turn.ts'

const USAGE: Usage = {
  maxSessions: 1,
  occupants: [],
  busyTasks: new Map(),
  parked: new Map(),
  freeMemoryMb: 4_000,
  budgets: new Map(),
  spentTodayUsd: 0,
  midnight: new Date(0),
}
const REQUEST: StartRequest = {
  role: 'worker',
  agent: { name: 'ada', roles: ['worker'] },
  projectId: undefined,
  limits: {},
  cost: 'reserved',
}
const turn = (id: string, overrides: Partial<Turn> = {}): Turn => ({
  isPersonal: false,
  priority: 'P1',
  stage: 'begin',
  since: new Date(0),
  id,
  ...overrides,
})
const waiter = (id: string, overrides: Partial<Turn> = {}, request: Partial<StartRequest> = {}): Waiter => ({
  turn: turn(id, overrides),
  request: { ...REQUEST, ...request },
})
const admitted = (waiters: readonly Waiter[], usage: Usage) =>
  admitInTurn(waiters, usage).flatMap(({ waiter: { turn: own }, admission }) =>
    admission.type === 'admitted' ? [own.id] : [],
  )

describe('turn order', () => {
  it('puts people first, then sorts by priority, stage and age', () => {
    const turns = [
      turn('new P1', { since: new Date(1) }),
      turn('older P1'),
      turn('review P1', { stage: 'review', since: new Date(9) }),
      turn('resumed P1', { stage: 'continue', since: new Date(9) }),
      turn('new P0', { priority: 'P0', since: new Date(9) }),
      turn('review P2', { priority: 'P2', stage: 'review' }),
      turn('personal', { isPersonal: true, since: new Date(9) }),
    ]
    expect(turns.sort(compareTurns).map(({ id }) => id)).toEqual([
      'personal',
      'new P0',
      'resumed P1',
      'review P1',
      'older P1',
      'new P1',
      'review P2',
    ])
  })

  it('keeps a free place for the first in line', () => {
    expect(admitted([waiter('b', { since: new Date(5) }), waiter('a')], USAGE)).toEqual(['a'])
  })

  it('lets later requests pass if the limit of the first does not affect them', () => {
    const busy = waiter('a', {}, { agent: { name: 'bob', roles: [], maxParallel: 0 } })
    expect(admitted([busy, waiter('b', { priority: 'P2' })], USAGE)).toEqual(['b'])
  })
})

describe('a kept place', () => {
  const project = 'prj_1' as ProjectId
  const place = { turn: turn('ended', { priority: 'P1', stage: 'continue' }), projectId: project }
  const started = (waiters: readonly Waiter[], usage: Partial<Usage> = {}) =>
    admitInTurn(waiters, { ...USAGE, ...usage }, [place]).map(
      ({ admission }) => admission.type === 'admitted',
    )

  it('goes to earlier turns but not to later ones', () => {
    expect(started([waiter('a', { priority: 'P0' })])).toEqual([true])
    expect(started([waiter('a', { isPersonal: true })])).toEqual([true])
    for (const later of [{ priority: 'P2' }, { stage: 'review' }, { stage: 'begin' }] as const) {
      expect(started([waiter('a', later)])).toEqual([false])
    }
  })

  it('leaves the other free places to everyone', () => {
    const waiters = [waiter('a', { priority: 'P2' }), waiter('b', { priority: 'P2' })]
    expect(started(waiters, { maxSessions: 2 })).toEqual([true, false])
  })

  it('counts in the limit of its project, and in no other project', () => {
    const limits = { projectParallel: 1 }
    const other = 'prj_2' as ProjectId
    const waiters = [
      waiter('a', {}, { projectId: project, limits }),
      waiter('b', {}, { projectId: other, limits }),
    ]
    expect(started(waiters, { maxSessions: 8 })).toEqual([false, true])
  })

  it('counts in no limit of the job, the role, the agent or the memory', () => {
    const request: Partial<StartRequest> = {
      agent: { name: 'ada', roles: ['worker'], model: 'opus', maxParallel: 1 },
      projectId: project,
      jobId: 'job_1' as JobId,
      limits: { roleParallel: { worker: 1 }, modelParallel: { opus: 1 }, memoryFloorMb: 8_000 },
      phase: { taskId: 'tsk_1' as TaskId, value: 1, isAlone: false },
    }
    expect(started([waiter('a', {}, request)], { maxSessions: 2 })).toEqual([true])
  })

  it('does not delay a request that takes the place of a running session', () => {
    const sessionId = 'ses_1' as SessionId
    const asker: Occupant = { sessionId, role: 'worker', agent: 'ada' }
    const question = waiter('a', {}, { replaces: sessionId })
    expect(started([question], { occupants: [asker] })).toEqual([true])
    expect(started([question])).toEqual([false])
  })
})

type Ask = {
  readonly agent: string
  readonly role: string
  readonly project: string
  readonly job: string
  readonly priority: Priority
}

const anyAsk: fc.Arbitrary<Ask> = fc.record({
  agent: fc.constantFrom('ada', 'bob'),
  role: fc.constantFrom('worker', 'reviewer'),
  project: fc.constantFrom('prj_1', 'prj_2'),
  job: fc.constantFrom('job_1', 'job_2'),
  priority: fc.constantFrom<Priority>('P0', 'P1', 'P2'),
})
const anyLimits = fc.record({
  sessions: fc.integer({ min: 1, max: 4 }),
  project: fc.integer({ min: 1, max: 3 }),
  phase: fc.integer({ min: 1, max: 3 }),
  role: fc.integer({ min: 1, max: 3 }),
  agent: fc.integer({ min: 1, max: 3 }),
})

/** Programs that request, start in turn and end, as the engine would let them. */
class Floor {
  readonly limits: { sessions: number; project: number; phase: number; role: number; agent: number }
  running: Waiter[] = []
  waiting: Waiter[] = []
  #now = 0

  constructor(limits: Floor['limits']) {
    this.limits = limits
  }

  ask({ agent, role, project, job, priority }: Ask): void {
    this.#now += 1
    const { limits } = this
    const taskId = `${this.#now}` as TaskId
    const request: StartRequest = {
      role,
      agent: { name: agent, roles: [role], maxParallel: limits.agent },
      projectId: project as ProjectId,
      jobId: job as JobId,
      limits: { projectParallel: limits.project, roleParallel: { [role]: limits.role } },
      cost: 'reserved',
      ...(role === 'worker' ? { phase: { taskId, value: limits.phase, isAlone: false } } : {}),
    }
    const asking = { turn: turn(taskId, { priority, since: new Date(this.#now) }), request }
    this.waiting.push(asking)
    this.wake()
  }

  end(index: number): void {
    this.running.splice(index % Math.max(1, this.running.length), 1)
    this.wake()
  }

  wake(): void {
    const empty: Usage = { ...USAGE, maxSessions: this.limits.sessions }
    const usage = this.running.reduce((before, { request }) => withAdmitted(request, before), empty)
    for (const { waiter: own, admission } of admitInTurn(this.waiting, usage)) {
      if (admission.type === 'refused') continue
      this.running.push(own)
      this.waiting = this.waiting.filter((other) => other !== own)
    }
  }

  most(keyOf: (request: StartRequest) => string | undefined): number {
    const counts = new Map<string | undefined, number>()
    for (const { request } of this.running) counts.set(keyOf(request), (counts.get(keyOf(request)) ?? 0) + 1)
    counts.delete(undefined)
    return Math.max(0, ...counts.values())
  }
}

describe('programs that ask, start and end in any order', () => {
  const story = fc.array(fc.oneof(anyAsk, fc.nat(9)), { maxLength: 60 })

  function play(floor: Floor, step: Ask | number): void {
    if (typeof step === 'number') floor.end(step)
    else floor.ask(step)
  }

  it('never exceed a limit', () => {
    fc.assert(
      fc.property(anyLimits, story, (limits, steps) => {
        const floor = new Floor(limits)
        for (const step of steps) {
          play(floor, step)
          expect(floor.running.length).toBeLessThanOrEqual(limits.sessions)
          expect(floor.most(({ projectId }) => projectId)).toBeLessThanOrEqual(limits.project)
          expect(floor.most(({ role }) => role)).toBeLessThanOrEqual(limits.role)
          expect(floor.most(({ agent }) => agent.name)).toBeLessThanOrEqual(limits.agent)
          const workers = floor.most(({ role, jobId }) => (role === 'worker' ? jobId : undefined))
          expect(workers).toBeLessThanOrEqual(limits.phase)
        }
      }),
    )
  })

  it('all start eventually as running ones end', () => {
    fc.assert(
      fc.property(anyLimits, story, (limits, steps) => {
        const floor = new Floor(limits)
        for (const step of steps) play(floor, step)
        const most = floor.waiting.length
        for (let round = 0; round < most && floor.waiting.length > 0; round += 1) {
          while (floor.running.length > 0) {
            floor.running.pop()
          }
          floor.wake()
        }
        expect(floor.waiting).toEqual([])
      }),
    )
  })

  it('start in the order in which they asked if they are equal', () => {
    fc.assert(
      fc.property(anyLimits, anyAsk, fc.integer({ min: 1, max: 20 }), (limits, ask, count) => {
        const floor = new Floor(limits)
        const left: string[] = []
        for (let index = 0; index < count; index += 1) floor.ask(ask)
        while (floor.waiting.length > 0) {
          const before = floor.waiting.map(({ turn: { id } }) => id)
          // Another request of the same kind arrives while a place becomes free: it must not go first.
          if (left.length < count) floor.ask(ask)
          floor.end(0)
          const after = new Set(floor.waiting.map(({ turn: { id } }) => id))
          const started = before.filter((id) => !after.has(id))
          expect(started).toEqual(before.slice(0, started.length))
          left.push(...started)
        }
      }),
    )
  })
})
