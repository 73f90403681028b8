import type { AgentRole, AgentSpec } from '../domain/agent/agent-spec.ts'
import type { AgentEvent } from '../domain/event/agent-event.ts'
import type { Result } from '../domain/result.ts'

export type Availability =
  | { readonly type: 'available'; readonly version: string }
  | { readonly type: 'missing'; readonly install: string }

/** What an attempt gives an agent program to start with. Paths are absolute. */
export type LaunchRequest = {
  readonly agent: AgentSpec
  readonly role: AgentRole
  readonly promptFile: string
  readonly treeDirectory: string
  /** The MUSTER_* variables every agent gets, and the allow-listed rest. A provider adds its own. */
  readonly environment: Readonly<Record<string, string>>
}

export type LaunchPlan = {
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
}

export type LaunchFailure =
  | { readonly type: 'agent-misconfigured'; readonly field: string; readonly problem: string }
  | { readonly type: 'program-missing'; readonly program: string; readonly install: string }

/**
 * One kind of agent program: how it is started and what its output means.
 *
 * Contract: `plan` starts nothing and `readLine` and `findAnswer` are pure; none of the three ever throws,
 * whatever an agent printed. `readLine` sees one line of standard output without its line end and must give
 * the same events for the same line wherever the stream was cut and however often the daemon restarted.
 * `findAnswer` sees the end of the standard output and gives what the agent answered, or nothing.
 */
export interface AgentProvider {
  readonly providerId: string
  availability(): Promise<Availability>
  plan(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>>
  readLine(line: string): readonly AgentEvent[]
  findAnswer(output: string): unknown
}
