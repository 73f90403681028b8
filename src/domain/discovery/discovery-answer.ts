import type { Cycle } from '../cycle/cycle.ts'
import type { Task } from '../task/task.ts'
import type { PlannedDraft } from './playbook-choice.ts'
import type { Coupling } from './predicted-overlap.ts'
import type { Repeat } from './without-duplicates.ts'

/** What shows that one clause of the goal is met. */
export type ClauseEvidence = {
  /** The number of the clause, from 1. */
  readonly clause: number
  readonly evidence: string
}

/** What a planner's answer can be. An unreadable answer never counts as "done". */
export type DiscoveryOutcome =
  | {
      readonly type: 'tasks'
      readonly tasks: readonly PlannedDraft[]
      readonly reasoning: string
      readonly blockers: readonly string[]
      readonly learnings: readonly string[]
    }
  /** With evidence for every clause of the goal, in order. */
  | {
      readonly type: 'goal-reached'
      readonly evidence: readonly ClauseEvidence[]
      readonly reasoning: string
      readonly learnings: readonly string[]
    }
  | { readonly type: 'unusable'; readonly problem: string }

/** The result of a usable answer: its new tasks, the repeats it dropped, and the tasks it put in sequence. */
export type Discovered = {
  readonly tasks: readonly Task[]
  readonly repeats: readonly Repeat[]
  readonly coupled: readonly Coupling[]
  /** What could not be done as the planner asked, for a person to read. */
  readonly notes: readonly string[]
  readonly outcome: Exclude<DiscoveryOutcome, { type: 'unusable' }>
  /** All cycles of the job, oldest first. */
  readonly cycles: readonly Cycle[]
}
