import type { AgentSpec } from '../agent/agent-spec.ts'
import {
  type BudgetBalance,
  canAfford,
  committedUsd,
  isSpent,
  withReserved,
} from '../budget/budget-balance.ts'
import type { JobId, ProjectId, SessionId, TaskId } from '../id.ts'
import { withoutUndefined } from '../without-undefined.ts'
import type { StartLimits } from './limit-order.ts'
import { START_LIMITS, type StartLimit } from './limit-order.ts'
import type { Refusal } from './refusal.ts'

/** A request to start one agent program. */
export type StartRequest = {
  readonly role: string
  readonly agent: Pick<AgentSpec, 'name' | 'roles' | 'model' | 'modelSource' | 'maxParallel'>
  readonly projectId: ProjectId | undefined
  readonly jobId?: JobId
  readonly limits: StartLimits
  /** It begins a task: how many its job may work on at once. `isAlone`: no other may run at the same time. */
  readonly phase?: { readonly taskId: TaskId; readonly value: number; readonly isAlone: boolean }
  /**
   * How the budget applies. `reserved`: the average cost of such an attempt must be left. `unreserved`: anything must
   * be left. `exempt`: it continues work that has begun, so money never stops it.
   */
  readonly cost: 'reserved' | 'unreserved' | 'exempt'
  /** It has already waited for its agent's quota, or a person wants to try anyway. */
  readonly ignoresQuota?: boolean
  /** The session whose place it takes. */
  readonly replaces?: SessionId
}

/** A session that has a program, or is about to get one. */
export type Occupant = {
  readonly sessionId?: SessionId
  readonly role: string
  readonly agent: string
  readonly model?: string
  readonly projectId?: ProjectId
}

/** A task that is being worked on, by one session or several. None of them needs to have a program right now. */
export type BusyTask = {
  readonly jobId: JobId
  /** No other task of its job may run at the same time. */
  readonly isAlone: boolean
}

/** Everything that limits are measured against, at one moment. */
export type Usage = {
  readonly maxSessions: number
  readonly occupants: readonly Occupant[]
  /** What the phase of a job counts. */
  readonly busyTasks: ReadonlyMap<TaskId, BusyTask>
  /** Free places that are kept for others. They count only in the limits of the machine and of their project. */
  readonly keptPlaces?: readonly { readonly projectId: ProjectId }[]
  /** Agents that are out of quota, and until when. */
  readonly parked: ReadonlyMap<string, Date>
  readonly freeMemoryMb: number
  readonly budgets: ReadonlyMap<JobId, BudgetBalance>
  readonly spentTodayUsd: number
  readonly midnight: Date
}

export type Admission = { readonly type: 'admitted' } | ({ readonly type: 'refused' } & Refusal)

type Check = (request: StartRequest, usage: Usage) => Omit<Refusal, 'limit'> | undefined

const CHECKS: Readonly<Record<StartLimit, Check>> = {
  'role-allowed': (request) => (isRoleAllowed(request) ? undefined : NEVER),
  'model-bound': (request) => (isModelBound(request) ? undefined : NEVER),
  global: (_, { maxSessions, occupants, keptPlaces = [] }) =>
    atMost(maxSessions, occupants.length + keptPlaces.length),
  project: checkProject,
  phase: checkPhase,
  role: checkRole,
  model: checkModel,
  agent: checkAgent,
  memory: checkMemory,
  budget: checkBudget,
  day: checkDay,
}

const NEVER = { value: 0, inUse: 0 }

/** Decides whether one more program may start now. The first limit that is reached is the reason people see. */
export function admit(request: StartRequest, usage: Usage): Admission {
  const others = usage.occupants.filter((occupant) => !isReplaced(occupant, request))
  // Whatever takes the place of a running session needs none of the free ones.
  const isInPlace = others.length < usage.occupants.length
  const seen: Usage = {
    ...usage,
    occupants: others,
    keptPlaces: isInPlace ? [] : (usage.keptPlaces ?? []),
  }
  for (const limit of START_LIMITS) {
    const reached = CHECKS[limit](request, seen)
    if (reached !== undefined) return { type: 'refused', limit, ...reached }
  }
  return { type: 'admitted' }
}

function isReplaced({ sessionId }: Occupant, { replaces }: StartRequest): boolean {
  return sessionId !== undefined && sessionId === replaces
}

/** The usage with one more program admitted. */
export function withAdmitted(request: StartRequest, usage: Usage): Usage {
  const { role, agent, projectId, jobId, phase } = request
  const occupant: Occupant = withoutUndefined({
    role,
    agent: agent.name,
    model: modelOf(agent),
    projectId,
  })
  const kept = usage.occupants.filter((other) => !isReplaced(other, request))
  const balance = jobId === undefined ? undefined : usage.budgets.get(jobId)
  const budgets =
    jobId === undefined || balance === undefined || request.cost !== 'reserved'
      ? usage.budgets
      : new Map(usage.budgets).set(jobId, withReserved(balance, role))
  const busyTasks =
    jobId === undefined || phase === undefined
      ? usage.busyTasks
      : new Map(usage.busyTasks).set(phase.taskId, { jobId, isAlone: phase.isAlone })
  return { ...usage, occupants: [...kept, occupant], busyTasks, budgets }
}

export type RoleRequest = Pick<StartRequest, 'role' | 'agent' | 'limits'>

/** The limit that keeps an agent from ever taking a role. Without this check, such an agent would wait forever. */
export function whyNever(request: RoleRequest): 'role-allowed' | 'model-bound' | undefined {
  if (!isRoleAllowed(request)) return 'role-allowed'
  return isModelBound(request) ? undefined : 'model-bound'
}

/**
 * An agent can take a role that it lists or is bound to. One with an empty list takes any role that somebody names it
 * for, but is never chosen without being named.
 */
function isRoleAllowed({ role, agent, limits }: RoleRequest): boolean {
  if (agent.roles.length === 0 || agent.roles.includes(role)) return true
  return limits.roles?.[role]?.agents.includes(agent.name) === true
}

/** The model that an agent's sessions use; undefined if its program chooses. */
export function modelOf({
  model,
  modelSource,
}: Pick<AgentSpec, 'model' | 'modelSource'>): string | undefined {
  return modelSource?.model ?? model
}

function isModelBound({ role, agent, limits }: RoleRequest): boolean {
  const models = limits.roles?.[role]?.models
  const model = modelOf(agent)
  return models === undefined || (model !== undefined && models.includes(model))
}

function atMost(value: number | undefined, inUse: number) {
  return value !== undefined && inUse >= value ? { value, inUse } : undefined
}

function checkProject({ projectId, limits }: StartRequest, { occupants, keptPlaces = [] }: Usage) {
  if (projectId === undefined) return undefined
  const others = [...occupants, ...keptPlaces].filter((other) => other.projectId === projectId)
  return atMost(limits.projectParallel, others.length)
}

function checkPhase({ phase, jobId }: StartRequest, { busyTasks }: Usage) {
  if (phase === undefined) return undefined
  const others = [...busyTasks].flatMap(([taskId, task]) =>
    task.jobId === jobId && taskId !== phase.taskId ? [task] : [],
  )
  const inUse = others.length
  if (inUse > 0 && phase.isAlone) return { value: 1, inUse, alone: 'this' } as const
  if (others.some(({ isAlone }) => isAlone)) return { value: 1, inUse, alone: 'running' } as const
  return atMost(phase.value, inUse)
}

function checkRole({ role, limits }: StartRequest, { occupants }: Usage) {
  const max = limits.roles?.[role]?.maxParallel ?? limits.roleParallel?.[role]
  return atMost(max, occupants.filter((other) => other.role === role).length)
}

function checkModel({ agent, limits }: StartRequest, { occupants }: Usage) {
  const model = modelOf(agent)
  if (model === undefined) return undefined
  return atMost(limits.modelParallel?.[model], occupants.filter((other) => other.model === model).length)
}

/** An agent that is out of quota gets nothing new: the sessions it has are waiting too. */
function checkAgent({ agent, ignoresQuota }: StartRequest, { occupants, parked }: Usage) {
  const inUse = occupants.filter((other) => other.agent === agent.name).length
  const until = ignoresQuota === true ? undefined : parked.get(agent.name)
  if (until !== undefined) return { value: 0, inUse, until: until.toISOString() }
  return atMost(agent.maxParallel, inUse)
}

/** When memory is short, one program at a time may still run. Otherwise nothing ever would. */
function checkMemory({ limits }: StartRequest, { occupants, freeMemoryMb }: Usage) {
  const { memoryFloorMb: floor } = limits
  if (floor === undefined || freeMemoryMb >= floor || occupants.length === 0) return undefined
  return { value: floor, inUse: floor - Math.floor(freeMemoryMb) }
}

function checkBudget({ jobId, role, cost }: StartRequest, { budgets }: Usage) {
  const balance = jobId === undefined ? undefined : budgets.get(jobId)
  const value = balance?.budgetUsd
  if (balance === undefined || value === undefined || cost === 'exempt') return undefined
  const isAffordable = cost === 'reserved' ? canAfford(balance, role) : !isSpent(balance)
  return isAffordable ? undefined : { value, inUse: committedUsd(balance) }
}

function checkDay({ limits, cost }: StartRequest, { spentTodayUsd, midnight }: Usage) {
  if (cost === 'exempt') return undefined
  const reached = atMost(limits.dailyUsd, spentTodayUsd)
  return reached === undefined ? undefined : { ...reached, until: midnight.toISOString() }
}
