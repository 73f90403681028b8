import type { AgentTool } from '../message/agent-tool.ts'
import type { Fields } from './field-kind.ts'
import type { Reference } from './reference.ts'
import type { Routes, Target } from './route.ts'

/** One step of a playbook. A run that enters it makes a visit. */
export type Stage = RoleStage | ChecksStage | GateStage | ChooseStage | ChildStage

/** An agent in a role works and answers. */
export type RoleStage = {
  readonly type: 'role'
  readonly role: string
  /** The prompt that a fork uses here instead of the role's. A playbook's file doesn't name any. */
  readonly prompt?: string
  /** What the role is to do in this stage, besides what its prompt says. */
  readonly asks?: string
  /** The commit its tree starts from. */
  readonly from: StartPoint
  readonly sees: readonly Reference[]
  readonly output: Output
  /** What its work should stay within. Files beyond it are listed to the next reviewer. */
  readonly scope?: Reference
  /** The stage whose files its work must not change. Of several, such as a stage and its revision, the newest counts. */
  readonly keeps?: string | readonly string[]
  readonly fanOut?: FanOut
  /** Those of its role's tools that it may use here; absent: all. */
  readonly tools?: readonly AgentTool[]
  readonly minutes: number
  readonly on: Routes
}

/** The tip of the job's branch, the newest work of the run, or the best of a stage that fanned out. */
export type StartPoint =
  | { readonly type: 'head' }
  | { readonly type: 'work' }
  | { readonly type: 'best'; readonly stage: string }

/** What an answer must look like: a shipped format, or a JSON Schema in the playbook's folder. */
export type Output =
  | {
      readonly type: 'shipped'
      readonly format: string
      /** Of a change: there may be nothing to change. */
      readonly isOptional?: true
    }
  | { readonly type: 'schema'; readonly file: string; readonly fields?: Fields | undefined }

/** Several visits of one stage at once. */
export type FanOut =
  | { readonly type: 'times'; readonly count: number | Reference }
  /** One for each entry of a list that an earlier stage answered with. */
  | { readonly type: 'over'; readonly list: Reference; readonly max: number }
  /** One for each piece of work that another stage made. */
  | { readonly type: 'each'; readonly stage: string }

/** Muster runs the project's checks on exactly the work of the run. */
export type ChecksStage = {
  readonly type: 'checks'
  readonly each?: string
  readonly on: Routes
}

/** A person decides. */
export type GateStage = {
  readonly type: 'gate'
  readonly ask: string
  readonly shows: readonly Reference[]
  /** Without this, the gate always asks. */
  readonly condition?: Condition
  readonly hours: number
  readonly on: Routes
}

/** Routes by typed fields alone; no agent. The first case that holds is taken. */
export type ChooseStage = {
  readonly type: 'choose'
  readonly cases: readonly { readonly condition: Condition; readonly to: Target }[]
  readonly otherwise: Target
}

/** A run of another playbook. */
export type ChildStage = {
  readonly type: 'playbook'
  readonly playbook: string
  /** Values of the other playbook's inputs. Without `goal`, it gets the goal of this run. */
  readonly inputs: Readonly<Record<string, Reference>>
  readonly on: Routes
}

/** Fields that must all have exactly these values. */
export type Condition = readonly { readonly field: Reference; readonly value: Scalar }[]
export type Scalar = string | number | boolean
