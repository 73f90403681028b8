import type { AgentProvider } from '../../src/ports/agent-provider.ts'
import type { ScriptedError, Step } from '../support/model-server/step.ts'

/** A real agent program, and the settings that make it use the scripted model. */
export type AgentProgram = {
  readonly createProvider: () => AgentProvider
  /** The model, for programs that would otherwise ask a model which model to use. */
  readonly model?: string
  /** The program's settings files, by path below the home. */
  readonly homeFiles: (modelUrl: string) => Readonly<Record<string, string>>
  /** The `env` of an agent of this provider. */
  readonly environment: (modelUrl: string) => Readonly<Record<string, string>>
  /** Arguments that make the shell tool ask for permission, if the command alone does not. */
  readonly asking: NonNullable<Step['params']>
  /** How the service reports for some seconds that the quota is used up. */
  readonly limit: ScriptedError
  /** For how long the program then reports a limit; absent if it does not report that. */
  readonly limitReportedMs?: number
}
