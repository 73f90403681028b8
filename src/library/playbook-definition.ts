import type { AgentTool } from '../domain/message/agent-tool.ts'
import type { OutputFormat } from '../domain/playbook/output-format.ts'
import type {
  PlaybookLimits,
  PlaybookResult,
  PlaybookRole,
  RecoverAction,
  VisitTrouble,
} from '../domain/playbook/playbook.ts'
import type { RunEnd } from '../domain/playbook/route.ts'
import type { Scalar } from '../domain/playbook/stage.ts'
import type { VerdictWord } from '../domain/review/verdict.ts'

/**
 * A playbook as a TypeScript program writes it: the fields of playbook.yaml. The names of roles and stages, and the
 * outcomes that each kind of stage must route, are checked by the compiler. Everything else is checked when it starts.
 */
export type PlaybookDefinition<Role extends string, Stage extends string> = {
  readonly name: string
  readonly description: string
  readonly inputs?: Readonly<Record<string, InputDefinition>>
  readonly roles: Readonly<Record<Role, RoleDefinition<NoInfer<Role>>>>
  readonly limits?: Partial<PlaybookLimits> & Pick<PlaybookLimits, 'minutes'>
  readonly notebook?: boolean
  readonly start: NoInfer<Stage>
  readonly stages: Readonly<Record<Stage, StageDefinition<NoInfer<Role>, NoInfer<Stage>>>>
  readonly result?: { readonly documents?: readonly string[]; readonly partial?: PlaybookResult['partial'] }
  readonly recover?: { readonly perVisit?: number; readonly perRun?: number } & Readonly<
    Partial<Record<VisitTrouble, readonly RecoverAction[]>>
  >
}

type InputDefinition = { readonly required?: boolean; readonly description?: string } & (
  | { readonly type: 'text'; readonly default?: string }
  | { readonly type: 'number'; readonly default?: number; readonly min?: number; readonly max?: number }
  | { readonly type: 'choice'; readonly of: readonly string[]; readonly default?: string }
)

export type RoleDefinition<Role extends string> = {
  readonly mode: PlaybookRole['mode']
  /** The text itself, one of Muster's own such as `builtin/reviewer`, or a file that is read now. */
  readonly prompt: string | { readonly file: string | URL }
  readonly agents: readonly string[]
  readonly session?: 'keep' | 'new'
  readonly unlike?: Role
  readonly spread?: boolean
  readonly tools?: readonly AgentTool[]
}

type Target<Stage extends string> = Stage | `end.${RunEnd}`

type RouteDefinition<Stage extends string> =
  | Target<Stage>
  | { readonly next: Target<Stage>; readonly max: number; readonly then: Target<Stage> }

type On<Outcome extends string, Stage extends string> = Readonly<Record<Outcome, RouteDefinition<Stage>>>

type Conditions = Readonly<Record<string, Scalar>>

/** A JSON Schema of one's own for the answers of a stage. */
type OwnSchema = Readonly<Record<string, unknown>>

type RoleFields<Role extends string, Stage extends string> = {
  readonly role: Role
  readonly asks?: string
  readonly from?: 'head' | 'work' | `${Stage}.best`
  readonly sees?: readonly string[]
  readonly scope?: string
  readonly keeps?: Stage | readonly Stage[]
  readonly tools?: readonly AgentTool[]
  readonly minutes?: number
}

type NoFanOut = {
  readonly times?: never
  readonly over?: never
  readonly most?: never
  readonly each?: never
}

type FanOut<Stage extends string> =
  | { readonly times: number | string; readonly over?: never; readonly most?: never; readonly each?: never }
  | { readonly over: string; readonly most?: number; readonly times?: never; readonly each?: never }
  | { readonly each: Stage; readonly times?: never; readonly over?: never; readonly most?: never }

type WorkStage<Role extends string, Stage extends string> = RoleFields<Role, Stage> &
  NoFanOut & {
    readonly output: Exclude<OutputFormat, 'review'> | OwnSchema
    readonly on: On<'done' | 'failed', Stage>
  }

type ReviewStage<Role extends string, Stage extends string> = RoleFields<Role, Stage> &
  NoFanOut & { readonly output: 'review'; readonly on: On<VerdictWord | 'failed', Stage> }

type FanOutStage<Role extends string, Stage extends string> = RoleFields<Role, Stage> &
  FanOut<Stage> & { readonly output: OutputFormat | OwnSchema; readonly on: On<'some' | 'none', Stage> }

type ChecksStage<Stage extends string> = { readonly checks: 'project' } & (
  | { readonly each?: never; readonly on: On<'pass' | 'fail', Stage> }
  | { readonly each: Stage; readonly on: On<'one' | 'some' | 'none', Stage> }
)

type Gate = { readonly ask: string; readonly shows?: readonly string[]; readonly hours?: number }

type GateStage<Stage extends string> =
  | {
      readonly gate: Gate & { readonly if?: never }
      readonly on: On<'allowed' | 'denied' | 'expired', Stage>
    }
  | {
      readonly gate: Gate & { readonly if: Conditions }
      readonly on: On<'allowed' | 'denied' | 'expired' | 'skipped', Stage>
    }

type ChooseStage<Stage extends string> = {
  readonly choose: readonly { readonly if: Conditions; readonly next: Target<Stage> }[]
  readonly else: Target<Stage>
}

type ChildStage<Stage extends string> = {
  readonly playbook: string
  readonly inputs?: Readonly<Record<string, string>>
  readonly on: On<'complete' | 'partial' | 'failed', Stage>
}

export type StageDefinition<Role extends string, Stage extends string> =
  | WorkStage<Role, Stage>
  | ReviewStage<Role, Stage>
  | FanOutStage<Role, Stage>
  | ChecksStage<Stage>
  | GateStage<Stage>
  | ChooseStage<Stage>
  | ChildStage<Stage>
