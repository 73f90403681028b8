import { describe, expect, it } from 'vitest'
import { balanceOf } from '../budget/budget-balance.ts'
import type { JobId, ProjectId, SessionId, TaskId } from '../id.ts'
import {
  type Admission,
  admit,
  type BusyTask,
  type Occupant,
  type StartRequest,
  type Usage,
  withAdmitted,
} from './admit.ts'
import { START_LIMITS, type StartLimit } from './limit-order.ts'
import { describeRefusal } from './refusal.ts'

const projectId = 'prj_1' as ProjectId
const jobId = 'job_1' as JobId
const MIDNIGHT = new Date('2026-01-02T00:00:00Z')
const QUOTA = new Date('2026-01-01T15:00:00Z')

function occupant(overrides: Partial<Occupant> = {}): Occupant {
  return { role: 'worker', agent: 'ada', model: 'opus', projectId, ...overrides }
}

const EMPTY: Usage = {
  maxSessions: 16,
  occupants: [],
  busyTasks: new Map(),
  parked: new Map(),
  freeMemoryMb: 4_000,
  budgets: new Map(),
  spentTodayUsd: 0,
  midnight: MIDNIGHT,
}

const REQUEST: StartRequest = {
  role: 'worker',
  agent: { name: 'ada', roles: ['worker'], model: 'opus' },
  projectId,
  jobId,
  limits: {},
  cost: 'reserved',
}

const running = (count: number, overrides: Partial<Occupant> = {}) =>
  Array.from({ length: count }, () => occupant(overrides))

const busy = (count: number, overrides: Partial<BusyTask> = {}) =>
  Array.from({ length: count }, (_, index): [TaskId, BusyTask] => {
    const task = { jobId, isAlone: false, ...overrides }
    return [`${task.jobId} ${index}` as TaskId, task]
  })

const phase = (value: number, isAlone = false) => ({ taskId: 'tsk_1' as TaskId, value, isAlone })

const spent = (budgetUsd: number, spentUsd: number, meanUsd: number) =>
  new Map([[jobId, balanceOf(budgetUsd, spentUsd, [{ role: 'worker', costUsd: meanUsd, isFinished: true }])]])

function whyRefused(request: StartRequest, tasks: readonly [TaskId, BusyTask][]): string | undefined {
  const admission = admit(request, { ...EMPTY, busyTasks: new Map(tasks) })
  return admission.type === 'refused' ? describeRefusal(admission) : undefined
}

/** For each limit: a situation in which it is reached, and the nearest one in which it isn't. */
const CASES: Record<
  StartLimit,
  {
    readonly request: Partial<StartRequest>
    readonly reached: Partial<Usage>
    readonly free: Partial<Usage> & { readonly request?: Partial<StartRequest> }
    readonly refusal: Omit<Extract<Admission, { type: 'refused' }>, 'type' | 'limit'>
  }
> = {
  'role-allowed': {
    request: {
      agent: { name: 'ada', roles: ['planner'], model: 'opus' },
      // Without a binding, only the agent's own list counts.
      limits: {},
    },
    reached: {},
    free: { request: { limits: { roles: { worker: { agents: ['bob', 'ada'] } } } } },
    refusal: { value: 0, inUse: 0 },
  },
  'model-bound': {
    request: { limits: { roles: { worker: { agents: ['ada'], models: ['haiku'] } } } },
    reached: {},
    free: { request: { limits: { roles: { worker: { agents: ['ada'], models: ['haiku', 'opus'] } } } } },
    refusal: { value: 0, inUse: 0 },
  },
  global: {
    request: {},
    reached: { maxSessions: 2, occupants: running(2, { role: 'check', projectId: 'prj_2' as ProjectId }) },
    free: { maxSessions: 3, occupants: running(2) },
    refusal: { value: 2, inUse: 2 },
  },
  project: {
    request: { limits: { projectParallel: 2 } },
    reached: { occupants: running(2, { agent: 'bob', role: 'planner' }) },
    free: { occupants: [...running(1), ...running(5, { projectId: 'prj_2' as ProjectId })] },
    refusal: { value: 2, inUse: 2 },
  },
  phase: {
    request: { phase: phase(2) },
    reached: { busyTasks: new Map(busy(2)) },
    // A busy task may have several sessions. Reviews and questions have sessions too.
    free: {
      busyTasks: new Map([...busy(1), ...busy(3, { jobId: 'job_2' as JobId })]),
      occupants: running(5),
    },
    refusal: { value: 2, inUse: 2 },
  },
  role: {
    request: { limits: { roles: { worker: { agents: ['ada'], maxParallel: 1 } } } },
    reached: { occupants: running(1, { agent: 'bob' }) },
    free: { occupants: running(1, { role: 'planner' }) },
    refusal: { value: 1, inUse: 1 },
  },
  model: {
    request: { limits: { modelParallel: { opus: 1 } } },
    reached: { occupants: running(1, { agent: 'bob', role: 'planner' }) },
    free: { occupants: running(1, { model: 'haiku' }) },
    refusal: { value: 1, inUse: 1 },
  },
  agent: {
    request: { agent: { ...REQUEST.agent, maxParallel: 1 } },
    reached: { occupants: running(1, { role: 'planner' }) },
    free: { occupants: running(1, { agent: 'bob' }) },
    refusal: { value: 1, inUse: 1 },
  },
  memory: {
    request: { limits: { memoryFloorMb: 512 } },
    reached: { freeMemoryMb: 511.9, occupants: running(1) },
    free: { freeMemoryMb: 512, occupants: running(1) },
    refusal: { value: 512, inUse: 1 },
  },
  budget: {
    request: {},
    reached: { budgets: spent(1, 0.7, 0.35) },
    free: { budgets: spent(1, 0.7, 0.3) },
    refusal: { value: 1, inUse: 0.7 },
  },
  day: {
    request: { limits: { dailyUsd: 5 } },
    reached: { spentTodayUsd: 5 },
    free: { spentTodayUsd: 4.99 },
    refusal: { value: 5, inUse: 5, until: MIDNIGHT.toISOString() },
  },
}

describe('admission', () => {
  it.each(START_LIMITS)('refuses a start by the limit "%s" once it is reached, and not before', (limit) => {
    const { request, reached, free, refusal } = CASES[limit]
    const asked = { ...REQUEST, ...request }
    expect(admit(asked, { ...EMPTY, ...reached })).toEqual({ type: 'refused', limit, ...refusal })
    const { request: other, ...usage } = free
    expect(admit({ ...asked, ...other }, { ...EMPTY, ...usage })).toEqual({ type: 'admitted' })
  })

  it('names the first limit reached, in the documented order', () => {
    const everything: StartRequest = {
      ...REQUEST,
      agent: { name: 'ada', roles: ['scribe'], model: 'opus', maxParallel: 1 },
      phase: phase(1),
      limits: { projectParallel: 1, modelParallel: { opus: 1 }, memoryFloorMb: 512, dailyUsd: 5 },
    }
    const bindings = [
      { agents: ['bob'], models: ['haiku'], maxParallel: 1 },
      { agents: ['ada'], models: ['haiku'], maxParallel: 1 },
      { agents: ['ada'], maxParallel: 1 },
    ]
    const full = {
      occupants: running(1),
      busyTasks: new Map(busy(1)),
      maxSessions: 1,
      freeMemoryMb: 1,
      budgets: spent(1, 1, 1),
      spentTodayUsd: 9,
    }
    // Each entry lifts the limit that was named before it.
    const relief: readonly (readonly [Partial<StartRequest>, Partial<Usage>, number])[] = [
      [{}, {}, 0],
      [{}, {}, 1],
      [{}, {}, 2],
      [{}, { maxSessions: 9 }, 2],
      [{ projectId: undefined }, {}, 2],
      [{ phase: phase(9) }, {}, 2],
      [{ role: 'scribe' }, {}, 2],
      [{ agent: { ...everything.agent, model: 'haiku' } }, {}, 2],
      [{ agent: { name: 'eve', roles: ['scribe'] } }, {}, 2],
      [{}, { freeMemoryMb: 999 }, 2],
      [{}, { budgets: new Map() }, 2],
      [{ cost: 'exempt' }, {}, 2],
    ]
    let request = everything
    let usage: Usage = { ...EMPTY, ...full }
    const named = relief.map(([change, freed, binding]) => {
      request = { ...request, ...change }
      usage = { ...usage, ...freed }
      const worker = bindings[binding]
      const roles = worker === undefined ? {} : { worker }
      const admission = admit({ ...request, limits: { ...request.limits, roles } }, usage)
      return admission.type === 'refused' ? admission.limit : admission.type
    })
    expect(named).toEqual([...START_LIMITS, 'admitted'])
  })

  it('counts a busy task in the phase of its job even if none of its programs is running', () => {
    const idle = { ...EMPTY, busyTasks: new Map(busy(1)) }
    expect(admit(REQUEST, idle)).toEqual({ type: 'admitted' })
    expect(admit({ ...REQUEST, phase: phase(1) }, idle)).toMatchObject({ limit: 'phase' })
  })

  it('counts a task once in the phase, and never against itself', () => {
    const begin: StartRequest = { ...REQUEST, phase: phase(1, true) }
    const usage = withAdmitted(begin, withAdmitted(begin, EMPTY))
    expect(admit(begin, usage).type).toBe('admitted')
    const other: StartRequest = { ...REQUEST, phase: { ...phase(1, true), taskId: 'tsk_2' as TaskId } }
    expect(admit(other, usage)).toMatchObject({ limit: 'phase', inUse: 1 })
  })

  it('makes a task that must run alone wait for the others, and the others for it', () => {
    const alone = { ...REQUEST, phase: phase(3, true) }
    expect(whyRefused(alone, busy(1))).toBe('it must run alone, and a task of this job is running')
    expect(whyRefused(alone, busy(2))).toBe('it must run alone, and 2 tasks of this job are running')
    expect(admit(alone, EMPTY).type).toBe('admitted')
    const beside = { ...REQUEST, phase: phase(3) }
    expect(whyRefused(beside, busy(1, { isAlone: true }))).toBe(
      'a task of this job that must run alone is running',
    )
    expect(whyRefused(beside, busy(3))).toBe('3 of 3 tasks of this job are running')
  })

  it('reports when a parked agent has quota again, unless the request ignores quota', () => {
    const parked = new Map([['ada', QUOTA]])
    expect(admit(REQUEST, { ...EMPTY, parked })).toEqual({
      type: 'refused',
      limit: 'agent',
      value: 0,
      inUse: 0,
      until: QUOTA.toISOString(),
    })
    expect(admit({ ...REQUEST, ignoresQuota: true }, { ...EMPTY, parked }).type).toBe('admitted')
  })

  it('gives a session the place of the one it replaces', () => {
    const sessionId = 'ses_1' as SessionId
    const usage = { ...EMPTY, maxSessions: 1, occupants: [occupant({ sessionId })] }
    expect(admit(REQUEST, usage).type).toBe('refused')
    expect(admit({ ...REQUEST, replaces: sessionId }, usage).type).toBe('admitted')
  })

  it('starts one program when memory is short and nothing is running', () => {
    const short = { ...EMPTY, freeMemoryMb: 1 }
    expect(admit({ ...REQUEST, limits: { memoryFloorMb: 512 } }, short).type).toBe('admitted')
  })

  it('checks the budget by how the request is paid for', () => {
    const expected = { ...EMPTY, budgets: spent(1, 0.7, 0.35) }
    expect(admit({ ...REQUEST, cost: 'unreserved' }, expected).type).toBe('admitted')
    const nothing = { ...EMPTY, budgets: spent(1, 1, 0.35), spentTodayUsd: 9 }
    expect(admit({ ...REQUEST, cost: 'unreserved' }, nothing)).toMatchObject({ limit: 'budget' })
    expect(admit({ ...REQUEST, cost: 'exempt', limits: { dailyUsd: 5 } }, nothing).type).toBe('admitted')
  })
})
