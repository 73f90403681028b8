import type { AgentSpec } from '../agent/agent-spec.ts'
import {
  type BudgetBalance,
  canAfford,
  committedUsd,
  isSpent,
  withReserved,
} from '../budget/budget-balance.ts'
import type { AttemptId, JobId, ProjectId, SessionId } from '../id.ts'
import { withoutUndefined } from '../without-undefined.ts'
import type { Refusal, StartLimit } from './refusal.ts'
import type { StartLimits } from './start-limits.ts'

/** Asks for a place for one program of an agent. */
export type StartRequest = {
  readonly role: string
  readonly agent: Pick<AgentSpec, 'name' | 'roles' | 'model' | 'modelSource' | 'maxParallel'>
  readonly projectId: ProjectId | undefined
  readonly jobId?: JobId
  readonly attemptId?: AttemptId
  readonly limits: StartLimits
  /** How many attempts of this role the job's phase allows at once; `isAlone`: none may run beside it. */
  readonly phase?: { readonly value: number; readonly isAlone: boolean }
  /**
   * What it may cost: what such an attempt costs on average must be left (`reserved`), something must be left
   * (`unreserved`), or it continues what was begun and is never refused for money (`exempt`).
   */
  readonly cost: 'reserved' | 'unreserved' | 'exempt'
  /** It has waited for its agent's quota already, or a person wants to try. */
  readonly ignoresQuota?: boolean
  /** The session whose place it takes. */
  readonly replaces?: SessionId
}

/** A session that has not ended. One that is suspended or waits counts in its job's phase only. */
export type Occupant = {
  readonly sessionId?: SessionId
  readonly role: string
  readonly agent: string
  readonly model?: string
  readonly projectId?: ProjectId
  readonly jobId?: JobId
  /** A handoff has two sessions of one attempt for a moment; they are one in the job's phase. */
  readonly attemptId?: AttemptId
  readonly isAlone?: boolean
  /** It has a program, or is about to. */
  readonly isRunning: boolean
}

/** Everything that limits are measured against, at one moment. */
export type Usage = {
  readonly maxSessions: number
  readonly occupants: readonly Occupant[]
  /** Agents that are out of quota, and until when. */
  readonly parked: ReadonlyMap<string, Date>
  readonly freeMemoryMb: number
  readonly budgets: ReadonlyMap<JobId, BudgetBalance>
  readonly spentTodayUsd: number
  readonly midnight: Date
}

export type Admission = { readonly type: 'admitted' } | ({ readonly type: 'refused' } & Refusal)

type Check = (request: StartRequest, usage: Usage) => Omit<Refusal, 'limit'> | undefined

/** In this order: the first limit that is reached is the reason that people see. */
const CHECKS: readonly (readonly [StartLimit, Check])[] = [
  ['role-allowed', (request) => (isRoleAllowed(request) ? undefined : NEVER)],
  ['model-bound', (request) => (isModelBound(request) ? undefined : NEVER)],
  ['global', (_, usage) => atMost(usage.maxSessions, usage.occupants.length)],
  ['project', checkProject],
  ['phase', checkPhase],
  ['role', checkRole],
  ['model', checkModel],
  ['agent', checkAgent],
  ['memory', checkMemory],
  ['budget', checkBudget],
  ['day', checkDay],
]

const NEVER = { value: 0, inUse: 0 }

/** Decides whether one more program may start now. */
export function admit(request: StartRequest, usage: Usage): Admission {
  const others = usage.occupants.filter(
    ({ sessionId }) => sessionId === undefined || sessionId !== request.replaces,
  )
  const working = { ...usage, occupants: others.filter(({ isRunning }) => isRunning) }
  for (const [limit, check] of CHECKS) {
    const reached = check(request, limit === 'phase' ? { ...usage, occupants: others } : working)
    if (reached !== undefined) return { type: 'refused', limit, ...reached }
  }
  return { type: 'admitted' }
}

/** The usage with one more program admitted. */
export function withAdmitted(request: StartRequest, usage: Usage): Usage {
  const { role, agent, projectId, jobId, attemptId, phase } = request
  const occupant: Occupant = withoutUndefined({
    role,
    agent: agent.name,
    model: modelOf(agent),
    projectId,
    jobId,
    attemptId,
    isAlone: phase?.isAlone ?? false,
    isRunning: true,
  })
  const kept = usage.occupants.filter(
    ({ sessionId }) => sessionId === undefined || sessionId !== request.replaces,
  )
  const balance = jobId === undefined ? undefined : usage.budgets.get(jobId)
  const budgets =
    jobId === undefined || balance === undefined || request.cost !== 'reserved'
      ? usage.budgets
      : new Map(usage.budgets).set(jobId, withReserved(balance, role))
  return { ...usage, occupants: [...kept, occupant], budgets }
}

type RoleRequest = Pick<StartRequest, 'role' | 'agent' | 'limits'>

/** Whether an agent can take a role at all: whoever can't would wait for ever. */
export function canTakeRole(request: RoleRequest): boolean {
  return isRoleAllowed(request) && isModelBound(request)
}

/** An agent takes a role that it has or is bound to. A role without a binding is open to all. */
function isRoleAllowed({ role, agent, limits }: RoleRequest): boolean {
  const binding = limits.roles?.[role]
  return binding === undefined || binding.agents.includes(agent.name) || agent.roles.includes(role)
}

/** The name of the model that an agent's sessions use; undefined where its program chooses. */
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

function checkProject({ projectId, limits }: StartRequest, { occupants }: Usage) {
  if (projectId === undefined) return undefined
  return atMost(limits.projectParallel, occupants.filter((other) => other.projectId === projectId).length)
}

function checkPhase({ phase, jobId, role }: StartRequest, { occupants }: Usage) {
  if (phase === undefined) return undefined
  const beside = occupants.filter((other) => other.jobId === jobId && other.role === role)
  const inUse = countAttempts(beside)
  if (inUse > 0 && phase.isAlone) return { value: 1, inUse }
  if (beside.some(({ isAlone }) => isAlone === true)) return { value: inUse, inUse }
  return atMost(phase.value, inUse)
}

function countAttempts(occupants: readonly Occupant[]): number {
  const named = new Set(occupants.flatMap(({ attemptId }) => (attemptId === undefined ? [] : [attemptId])))
  return named.size + occupants.filter(({ attemptId }) => attemptId === undefined).length
}

function checkRole({ role, limits }: StartRequest, { occupants }: Usage) {
  const most = limits.roles?.[role]?.maxParallel ?? limits.roleParallel?.[role]
  return atMost(most, occupants.filter((other) => other.role === role).length)
}

function checkModel({ agent, limits }: StartRequest, { occupants }: Usage) {
  const model = modelOf(agent)
  if (model === undefined) return undefined
  return atMost(limits.modelParallel?.[model], occupants.filter((other) => other.model === model).length)
}

/** An agent that is out of quota is given nothing new: what it has already waits with it. */
function checkAgent({ agent, ignoresQuota }: StartRequest, { occupants, parked }: Usage) {
  const inUse = occupants.filter((other) => other.agent === agent.name).length
  const until = ignoresQuota === true ? undefined : parked.get(agent.name)
  if (until !== undefined) return { value: 0, inUse, until: until.toISOString() }
  return atMost(agent.maxParallel, inUse)
}

/** Where memory is short one program at a time runs, or nothing ever would. */
function checkMemory({ limits }: StartRequest, { occupants, freeMemoryMb }: Usage) {
  const { memoryFloorMb: floor } = limits
  if (floor === undefined || freeMemoryMb >= floor || occupants.length === 0) return undefined
  return { value: floor, inUse: Math.floor(freeMemoryMb) }
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
