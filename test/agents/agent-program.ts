import type { AgentProvider } from '../../src/ports/agent-provider.ts'
import type { ScriptedError, Step } from '../support/model-server/step.ts'

/** A real agent program, and what it takes to have it talk to the scripted model instead of a service. */
export type AgentProgram = {
  readonly createProvider: () => AgentProvider
  /** Asked for by name where the program would else first ask a model which model to take. */
  readonly model?: string
  /** Its settings, by path below the home. */
  readonly homeFiles: (modelUrl: string) => Readonly<Record<string, string>>
  /** What an agent of this provider is given as `env`. */
  readonly environment: (modelUrl: string) => Readonly<Record<string, string>>
  /** Arguments with which its shell tool asks for permission, where the command alone does not make it. */
  readonly asking: NonNullable<Step['params']>
  /** How its service says for some seconds that nothing more is to be had. */
  readonly limit: ScriptedError
  /** For how long the program then says that is so; absent when it does not say. */
  readonly limitToldMs?: number
}
