import type { AgentSpec } from '../domain/agent/agent-spec.ts'
import type { Result } from '../domain/result.ts'
import type { SandboxChoice } from '../domain/session/sandbox-policy.ts'

/** What muster.yaml, the person's file and the environment say together; the later of these wins. */
export type Configuration = {
  readonly checks: readonly string[]
  readonly agents: readonly AgentSpec[]
  readonly planner?: string
  readonly worker?: string
  readonly sandbox: SandboxChoice
  readonly limits: {
    readonly parallel?: number
    readonly attemptMinutes?: number
    readonly jobMinutes?: number
    readonly maxCycles?: number
  }
}

export type ConfigurationFailure = {
  readonly type: 'configuration-invalid'
  readonly file: string
  readonly line?: number
  readonly field: string
  readonly problem: string
}

/** Contract: reads only; a file that is absent is no failure, one that cannot be understood is. */
export interface ConfigurationSource {
  read(repositoryPath: string): Promise<Result<Configuration, ConfigurationFailure>>
}
