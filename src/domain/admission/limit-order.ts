import type { RoleBindings } from '../agent/role-binding.ts'

/** Every limit on starting an agent's program, in the order in which they are checked. */
export const START_LIMITS = [
  'role-allowed',
  'model-bound',
  'global',
  'project',
  'phase',
  'role',
  'model',
  'agent',
  'memory',
  'budget',
  'day',
] as const

export type StartLimit = (typeof START_LIMITS)[number]

/** The limits configured for a request; an absent field means no limit. */
export type StartLimits = {
  readonly roles?: RoleBindings
  /** Concurrent sessions of a role, for roles whose binding sets no limit. */
  readonly roleParallel?: Readonly<Record<string, number>>
  /** Concurrent sessions of the project. */
  readonly projectParallel?: number
  /** Concurrent sessions of a model, by model name. */
  readonly modelParallel?: Readonly<Record<string, number>>
  readonly memoryFloorMb?: number
  readonly dailyUsd?: number
}
