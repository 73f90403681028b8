import type { TaskDraft } from '../task/task.ts'

/** What shows that one clause of the goal holds. */
export type ClauseEvidence = {
  /** Of the clause, from 1. */
  readonly clause: number
  readonly evidence: string
}

/** The three things a planner's answer can be. They are never confused: an unreadable answer is not "done". */
export type DiscoveryOutcome =
  | {
      readonly type: 'tasks'
      readonly tasks: readonly TaskDraft[]
      readonly reasoning: string
      readonly blockers: readonly string[]
      readonly learnings: readonly string[]
    }
  /** With evidence for every clause of the goal, in their order. */
  | {
      readonly type: 'goal-reached'
      readonly evidence: readonly ClauseEvidence[]
      readonly reasoning: string
      readonly learnings: readonly string[]
    }
  | { readonly type: 'unusable'; readonly problem: string }
