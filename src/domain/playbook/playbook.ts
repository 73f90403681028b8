import type { AgentTool } from '../message/agent-tool.ts'
import type { Reference } from './reference.ts'
import type { Stage } from './stage.ts'

export const ROLE_MODES = ['read', 'write', 'model'] as const
export const PARTIAL_WORK_RULES = ['ask', 'land', 'keep'] as const
export const VISIT_TROUBLES = [
  'crashed',
  'timeout',
  'invalid',
  'quota',
  'unstartable',
  'uncollected',
] as const
export const RECOVER_ACTIONS = [
  'ask-again',
  'nudge',
  'restart',
  'substitute',
  'park',
  'escalate',
  'abort',
] as const

/** How several roles work on one goal: who takes part, what the stages are, and where each outcome leads. */
export type Playbook = {
  readonly name: string
  readonly description: string
  readonly inputs: Readonly<Record<string, PlaybookInput>>
  readonly roles: Readonly<Record<string, PlaybookRole>>
  readonly limits: PlaybookLimits
  /** Whether every role sees the run's criteria, decisions and findings. */
  readonly hasNotebook: boolean
  readonly start: string
  readonly stages: Readonly<Record<string, Stage>>
  /** The stages that a fork leaves out. A playbook's file doesn't name any. */
  readonly skipped?: readonly string[]
  readonly result: PlaybookResult
  readonly recover: RecoverPolicy
}

export type PlaybookInput = { readonly isRequired: boolean; readonly description?: string } & (
  | { readonly type: 'text'; readonly default?: string }
  | { readonly type: 'number'; readonly default?: number; readonly min: number; readonly max: number }
  | { readonly type: 'choice'; readonly default?: string; readonly of: readonly string[] }
)

export type PlaybookRole = {
  /** `read`: a tree that is thrown away. `write`: its changes are the work. `model`: no tree. */
  readonly mode: (typeof ROLE_MODES)[number]
  /** A Markdown file in the playbook's folder, or `builtin/<name>`. */
  readonly prompt: string
  /** Names of agents, or of roles that the configuration binds agents to; the first that is free. */
  readonly agents: readonly string[]
  /** Whether later visits continue the conversation of the first. */
  readonly keepsSession: boolean
  /** The role whose model family it should not share. */
  readonly unlike?: string
  /** Whether the visits of a fan-out take the agents in turn. */
  readonly isSpread: boolean
  /** Those of Muster's tools that it may use; absent: all. */
  readonly tools?: readonly AgentTool[]
}

export type PlaybookLimits = {
  readonly minutes: number
  readonly usd?: number
  readonly parallel: number
}

export type PlaybookResult = {
  /** Answers that are kept as documents of the result. */
  readonly documents: readonly Reference[]
  /** What becomes of partial and unverified work: a person is asked, it lands, or it is only kept. */
  readonly partial: (typeof PARTIAL_WORK_RULES)[number]
}

/** What can go wrong with a visit, as far as a playbook can say what to do about it. */
export type VisitTrouble = (typeof VISIT_TROUBLES)[number]

export type RecoverAction = (typeof RECOVER_ACTIONS)[number]

export type RecoverPolicy = {
  readonly perVisit: number
  readonly perRun: number
  /** What is tried for each trouble, in this order. Absent ones use Muster's own table. */
  readonly actions: Readonly<Partial<Record<VisitTrouble, readonly RecoverAction[]>>>
}
