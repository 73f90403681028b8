import type { AgentSpec } from '../domain/agent/agent-spec.ts'
import type { AgentEvent } from '../domain/event/agent-event.ts'
import type { Result } from '../domain/result.ts'
import type { Dialogue, McpAccess } from './dialogue.ts'

export type Availability =
  | { readonly type: 'available'; readonly version: string }
  | { readonly type: 'missing'; readonly install: string }

export type ModelInfo = { readonly id: string; readonly name: string; readonly isDefault?: boolean }

/** What a session gives an agent program to start with. Paths are absolute. */
export type LaunchRequest = {
  readonly agent: AgentSpec
  readonly role: string
  /** The session's own directory: files of the plan belong here. */
  readonly sessionDirectory: string
  readonly promptFile: string
  readonly treeDirectory: string
  /** The MUSTER_* variables every agent gets, and the allow-listed rest. A provider adds its own. */
  readonly environment: Readonly<Record<string, string>>
  /** `interactive`: the program's own screen on a terminal, for a person. */
  readonly mode: 'headless' | 'interactive'
  readonly permissions: 'ask' | 'bypass'
  /** The program's own name of an earlier conversation to go on with. */
  readonly resume?: string
  readonly mcp?: McpAccess
  /** Of the person's home it will see the provider's `homePaths` alone. */
  readonly isEnclosed?: boolean
}

export type LaunchPlan = {
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  /** Files to be written before the start, by absolute path below the session's directory. */
  readonly files?: Readonly<Record<string, string>>
  /** Files of the home to be copied to a place that the program sees, unless something is there already. */
  readonly copies?: readonly { readonly from: string; readonly to: string }[]
  /** What else of the machine the program is made of, if it is more than what its command names. */
  readonly reads?: readonly string[]
}

export type LaunchFailure =
  | { readonly type: 'agent-misconfigured'; readonly field: string; readonly problem: string }
  | { readonly type: 'program-missing'; readonly program: string; readonly install: string }
  | { readonly type: 'mode-unsupported'; readonly mode: string; readonly provider: string }

/**
 * One kind of agent program: how it is started and what its output means.
 *
 * Contract: `plan` starts nothing and `readLine` and `findAnswer` are pure; none of the three ever throws,
 * whatever an agent printed. A provider without a dialogue is told everything at its start: `readLine` sees one
 * line of standard output without its line end and must give the same events for the same line wherever the
 * stream was cut and however often the daemon restarted, and `findAnswer` sees the end of the standard output
 * and gives what the agent answered, or nothing. With a `dialogue` the program is spoken to over its standard
 * input, its headless lines go to `dialogue.hear`, and `findAnswer` sees the text of the last turn.
 */
export interface AgentProvider {
  readonly providerId: string
  /** Names of variables with credentials that this provider's program, and no other, may see. */
  readonly credentials: readonly string[]
  /** Where the program keeps its own settings, logins and conversations, below the person's home (`.claude`). */
  readonly homePaths: readonly string[]
  /** Present when the program is spoken to over its standard input. */
  readonly dialogue?: Dialogue
  availability(): Promise<Availability>
  /** The models its program offers; empty when it does not tell. */
  models(): Promise<readonly ModelInfo[]>
  plan(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>>
  readLine(line: string): readonly AgentEvent[]
  findAnswer(output: string): unknown
}
