import type { CheckProgress } from '../check/check-progress.ts'
import type { ApprovalId, AttemptId, RunId, VisitId } from '../id.ts'
import type { Outcome } from '../playbook/outcome.ts'
import type { RecoverAction } from '../playbook/playbook.ts'
import type { WorkChanges } from '../task/work-changes.ts'
import type { TroubleRecord } from './trouble-record.ts'

/** One entry of a run into a stage, or one branch of it if the stage fans out. */
export type Visit = {
  readonly id: VisitId
  readonly runId: RunId
  /** Counts the run's entries into stages, from 1. The branches of a fan-out share it. */
  readonly ordinal: number
  readonly stage: string
  /** Counts the entries into this stage, from 1. */
  readonly round: number
  /** From 1 in a fan-out, otherwise 0. */
  readonly branch: number
  /** The earlier visits whose results it works with. */
  readonly inputs: readonly VisitId[]
  /** The visit of another run whose result it is. Nothing was done for it in this run. */
  readonly taken?: TakenVisit
  /** The entry of a list that this branch is about. */
  readonly item?: unknown
  readonly state: VisitState
  /** Its newest attempt, if an agent works on it, or the one that made the work of its child run. */
  readonly attemptId?: AttemptId
  /** Its attempts so far, including those that failed. */
  readonly tries: number
  /** What had to be done about trouble with it, and how often. */
  readonly recoveries: RecoveryCounts
  /** The agents that gave it up to a substitute. */
  readonly replaced: readonly string[]
  /** Everything that went wrong with it, oldest first. The budgets of recovery limit how much that can be. */
  readonly troubles: readonly TroubleRecord[]
  /** Why the last try was rejected. The next prompt includes it. */
  readonly problem?: string
  /** What it made: the commit of a change, or the one that was judged. */
  readonly commit?: string
  /** How much a change differs from the commit that the run started from. */
  readonly work?: VisitWork
  readonly answer?: unknown
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}

/** `attemptId`: whose work it is. The visit itself has none, so that nothing continues the other run's conversation. */
export type TakenVisit = { readonly visitId: VisitId; readonly attemptId?: AttemptId }

export type RecoveryCounts = Readonly<Partial<Record<RecoverAction, number>>>

export type VisitWork = {
  /** The tree of its commit: two commits with the same tree are the same work. Absent in visits of older versions. */
  readonly tree?: string
  readonly files: readonly string[]
  readonly commits: readonly string[]
  readonly changes: WorkChanges
  /** What was left out of the commit, and why. */
  readonly omissions: readonly string[]
  /** Files that this visit changed although its scope doesn't mention them. */
  readonly beyondScope?: readonly string[]
}

export type VisitState =
  /** Not begun, because other branches come first, or not before a time. */
  | { readonly type: 'waiting'; readonly until?: string }
  /**
   * Its session is stopped because the agent has no quota (`isOutOfQuota`), or because its program can't work before a
   * person helps (`isUnready`), and another agent can work.
   */
  | { readonly type: 'working'; readonly isOutOfQuota?: true; readonly isUnready?: true }
  /** The project's checks run, one after the other. */
  | ({ readonly type: 'checking' } & CheckProgress)
  /** A person decides: at a gate, or about a visit in trouble. */
  | { readonly type: 'asking'; readonly approvalId: ApprovalId }
  | { readonly type: 'running-child'; readonly runId: RunId }
  | { readonly type: 'settled'; readonly outcome: Outcome }
  | { readonly type: 'cancelled' }

export function isVisitOpen({ state }: Pick<Visit, 'state'>): boolean {
  return state.type !== 'settled' && state.type !== 'cancelled'
}

/** The outcome of a settled visit. */
export function outcomeOf({ state }: Pick<Visit, 'state'>): Outcome | undefined {
  return state.type === 'settled' ? state.outcome : undefined
}
