import type { Waiting } from '../admission/refusal.ts'

/** Why a job completed. A planner whose answers can't be read is never among the reasons. */
export type CompletionReason =
  | 'goal-reached'
  | 'nothing-left'
  | 'max-cycles-reached'
  | 'time-limit-reached'
  | 'budget-reached'
  | 'no-progress'
  /** A planner insisted that the goal is reached, but none of its tasks landed. */
  | 'goal-doubted'
  /** How the only task of a job without a planner ended. */
  | 'task-completed'
  | 'task-blocked'
  | 'task-failed'

export type JobState =
  | { readonly type: 'pending' }
  | {
      readonly type: 'running'
      readonly pausing: boolean
      /** The end of the day (ISO time) for which the job last reported that the daily budget is spent: once a day. */
      readonly restsUntil?: string
      /** A limit keeps the job's planner from starting. */
      readonly waiting?: Waiting
    }
  | { readonly type: 'paused' }
  | { readonly type: 'completed'; readonly reason: CompletionReason; readonly evidence: readonly string[] }
  | { readonly type: 'cancelled'; readonly reason?: string }
  | { readonly type: 'error'; readonly error: string }

export function isJobFinished(state: JobState): boolean {
  return state.type === 'completed' || state.type === 'cancelled' || state.type === 'error'
}
