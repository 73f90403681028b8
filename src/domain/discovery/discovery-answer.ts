import type { TaskDraft } from '../task/task.ts'

/** The three things a planner's answer can be. They are never confused: an unreadable answer is not "done". */
export type DiscoveryOutcome =
  | {
      readonly type: 'tasks'
      readonly tasks: readonly TaskDraft[]
      readonly reasoning: string
      readonly blockers: readonly string[]
    }
  | { readonly type: 'goal-reached'; readonly evidence: readonly string[]; readonly reasoning: string }
  | { readonly type: 'unusable'; readonly problem: string }
