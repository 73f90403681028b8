import type { AgentSpec } from '../domain/agent/agent-spec.ts'
import type { RoleBindings } from '../domain/agent/role-binding.ts'
import type { ConfigurationFailure } from '../domain/job/start-failure.ts'
import type { LandingMode } from '../domain/landing/landing-mode.ts'
import type { Result } from '../domain/result.ts'
import type { SandboxChoice } from '../domain/session/sandbox-policy.ts'

/** What muster.yaml, the person's file and the environment say together; the later of these wins. */
export type Configuration = {
  readonly checks: readonly string[]
  /** Shell commands run once in every new working tree, before anybody works or checks there. */
  readonly setup: readonly string[]
  /** Files of the person's checkout, ignored by git, that every tree gets a copy of. */
  readonly copy: readonly string[]
  readonly mode?: LandingMode
  /** Whether what was learnt may be appended to the goal document. */
  readonly learnings: boolean
  readonly agents: readonly AgentSpec[]
  /** Who may take which role. A binding without agents leaves the role to all agents that have it. */
  readonly roles: RoleBindings
  readonly sandbox: SandboxChoice
  /** Names of variables whose values are kept out of everything that is stored or shown. */
  readonly secrets: readonly string[]
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

/** Contract: reads only; a file that is absent is no failure, one that cannot be understood is. */
export interface ConfigurationSource {
  read(repositoryPath: string): Promise<Result<Configuration, ConfigurationFailure>>
}
