import type { RoleBindings } from '../agent/role-binding.ts'

/** The limits that whoever asks was given; each is absent where there is none. */
export type StartLimits = {
  readonly roles?: RoleBindings
  /** Sessions of a role at once, for roles whose binding does not say. */
  readonly roleParallel?: Readonly<Record<string, number>>
  /** Sessions of the project at once. */
  readonly projectParallel?: number
  /** Sessions of a model at once, by the name of the model. */
  readonly modelParallel?: Readonly<Record<string, number>>
  readonly memoryFloorMb?: number
  readonly dailyUsd?: number
}
