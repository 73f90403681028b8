import type { AgentSpec } from '../domain/agent/agent-spec.ts'
import type { AnswerSchema } from '../domain/agent/answer-schema.ts'
import type { Unready } from '../domain/agent/unready.ts'
import type { AgentEvent } from '../domain/event/agent-event.ts'
import type { Result } from '../domain/result.ts'
import type { Dialogue, McpAccess } from './dialogue.ts'

export type Availability =
  /** `unready`: this version can't work, because it is too old. */
  | { readonly type: 'available'; readonly version: string; readonly unready?: Unready }
  | { readonly type: 'missing'; readonly install: string }

/** Whether a program can work now, as far as it can tell without using a model. */
export type Readiness =
  | { readonly type: 'ready' }
  /** It can't tell. */
  | { readonly type: 'unsure' }
  | ({ readonly type: 'unready' } & Unready)

export type ModelInfo = { readonly id: string; readonly name: string; readonly isDefault?: boolean }

/** An agent with the values of its own variables, as they are now. */
export type LaunchedAgent = Omit<AgentSpec, 'env'> & { readonly env: Readonly<Record<string, string>> }

/** What a session passes to an agent program at its start. Paths are absolute. */
export type LaunchRequest = {
  readonly agent: LaunchedAgent
  readonly role: string
  /** How the role answers; absent for a role that only an agent program can take. */
  readonly answer?: AnswerSchema
  /** The session's own directory; the files of the plan go here. */
  readonly sessionDirectory: string
  readonly promptFile: string
  /** The text of the prompt file. A program on its own screen gets it as an argument. */
  readonly prompt?: string
  readonly treeDirectory: string
  /** The MUSTER_* variables that every agent gets, and the allow-listed ones. A provider adds its own. */
  readonly environment: Readonly<Record<string, string>>
  /** `interactive`: the program draws its own screen on a terminal, for a person. */
  readonly mode: 'headless' | 'interactive'
  readonly permissions: 'ask' | 'bypass'
  /** The program's own id of the conversation to resume. */
  readonly resume?: string
  readonly mcp?: McpAccess
  /** The sandbox hides the person's home except for the provider's `homePaths`. */
  readonly isEnclosed?: boolean
}

/** The part of a launch that decides whether its program can work: which program, and with which variables. */
export type ReadinessRequest = Pick<LaunchRequest, 'agent' | 'environment' | 'treeDirectory'>

export type LaunchPlan = {
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  /** Files to write before the start, by absolute path below the session's directory. */
  readonly files?: Readonly<Record<string, string>>
  /** Files of the home to copy to a place that the program can see, unless something is already there. */
  readonly copies?: readonly { readonly from: string; readonly to: string }[]
  /** Other paths that the program needs to run, besides what its command names. */
  readonly reads?: readonly string[]
}

export type LaunchFailure =
  | { readonly type: 'agent-misconfigured'; readonly field: string; readonly problem: string }
  | { readonly type: 'program-missing'; readonly program: string; readonly install: string }
  | { readonly type: 'mode-unsupported'; readonly mode: string; readonly provider: string }

/**
 * One kind of agent program: how to start it and what its output means.
 *
 * Contract: `plan` starts nothing, and `readLine` and `findAnswer` are pure. None of the three ever throws, whatever an
 * agent printed. A provider without a dialogue gets everything at its start: `readLine` gets one line of standard
 * output without its line end, and must return the same events for the same line wherever the stream was cut and
 * however often the daemon restarted; `findAnswer` gets the end of the standard output and returns the agent's answer,
 * if any. With a `dialogue`, Muster talks to the program over its standard input, its headless lines go to
 * `dialogue.hear`, and `findAnswer` gets the text of the last turn.
 */
export interface AgentProvider {
  readonly providerId: string
  /** Names of the variables with credentials that only this provider's program may see. */
  readonly credentials: readonly string[]
  /** Where the program keeps its settings, logins and conversations, below the person's home (`.claude`). */
  readonly homePaths: readonly string[]
  /** The variable with which a person keeps all of these in a directory of their own instead (`CODEX_HOME`). */
  readonly homeVariable?: string
  /** Present if the program has a protocol over its standard input. */
  readonly dialogue?: Dialogue
  availability(): Promise<Availability>
  /**
   * Whether the program could work now: logged in and new enough. Answers within seconds, offline, for free, and never
   * throws. `unready` is a promise that a session would fail; anything less certain is `unsure`.
   */
  readiness?(request: ReadinessRequest): Promise<Readiness>
  /** Why a program without a dialogue couldn't work, if it says so with its exit code. */
  unreadyAfter?(code: number, request: ReadinessRequest): Unready | undefined
  /** The models its program offers; empty if it doesn't report them. */
  models(): Promise<readonly ModelInfo[]>
  plan(request: LaunchRequest): Promise<Result<LaunchPlan, LaunchFailure>>
  readLine(line: string): readonly AgentEvent[]
  findAnswer(output: string): unknown
}
