import type { AgentSpec } from '../domain/agent/agent-spec.ts'
import type { RoleBindings } from '../domain/agent/role-binding.ts'
import type { FailingBaseChoice } from '../domain/job/base-state.ts'
import type { ConfigurationFailure } from '../domain/job/start-failure.ts'
import type { LandingMode } from '../domain/landing/landing-mode.ts'
import type { Result } from '../domain/result.ts'
import type { SandboxChoice } from '../domain/session/sandbox-policy.ts'
import type { TaskListPlace } from '../domain/task/task-list-file.ts'
import type { GuardedPart } from '../domain/trust/guarded-part.ts'

/** The settings of muster.yaml, the person's file and the environment; later ones win. */
export type Configuration = {
  readonly checks: readonly string[]
  /** Shell commands run once in every new working tree, before an agent or a check uses it. */
  readonly setup: readonly string[]
  /** Files of the person's checkout, ignored by git, that are copied into every tree. */
  readonly copy: readonly string[]
  readonly mode?: LandingMode
  /** The name of the playbook that works on each of a planner's tasks. */
  readonly playbook?: string
  /** What to do if the base fails its checks. */
  readonly failingBase?: FailingBaseChoice
  /** Whether learnings may be appended to the goal document. */
  readonly learnings: boolean
  /** Whether TASKLIST.md is committed to the working branch. */
  readonly taskList: TaskListPlace
  readonly agents: readonly AgentSpec[]
  /** The values of agents' own variables, by the agent's name. Apart from the agents, because those are stored. */
  readonly environments: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Which agents may take which role. A binding without agents allows all agents that list the role. */
  readonly roles: RoleBindings
  readonly sandbox: SandboxChoice
  /** Names of variables whose values must never be stored or shown. */
  readonly secrets: readonly string[]
  /** The settings of the repository's own file that need the person's trust; they are already applied here. */
  readonly guarded: readonly GuardedPart[]
  readonly limits: {
    readonly parallel?: number
    readonly projectParallel?: number
    readonly modelParallel?: Readonly<Record<string, number>>
    readonly attemptMinutes?: number
    readonly jobMinutes?: number
    readonly maxCycles?: number
    readonly maxAttempts?: number
    readonly budgetUsd?: number
    readonly dailyUsd?: number
    readonly memoryFloorMb?: number
  }
}

/** Contract: read-only. A missing file is not a failure; an invalid one is. */
export interface ConfigurationSource {
  read(repositoryPath: string): Promise<Result<Configuration, ConfigurationFailure>>
}
