import type { Waiting } from '../admission/refusal.ts'

/** Why a job ended well: each reason is distinct, and none of them is a planner that could not be read. */
export type CompletionReason =
  | 'goal-reached'
  | 'nothing-left'
  | 'max-cycles-reached'
  | 'time-limit-reached'
  | 'budget-reached'
  | 'no-progress'

export type JobState =
  | { readonly type: 'pending' }
  | {
      readonly type: 'running'
      readonly pausing: boolean
      /** Until when (ISO time) it was last said to rest, because what a day may cost is spent: said once a day. */
      readonly restsUntil?: string
      /** A limit keeps its planner from starting. */
      readonly waiting?: Waiting
    }
  | { readonly type: 'paused' }
  | { readonly type: 'completed'; readonly reason: CompletionReason; readonly evidence: readonly string[] }
  | { readonly type: 'cancelled'; readonly reason: string }
  | { readonly type: 'error'; readonly error: string }

export function isJobOver(state: JobState): boolean {
  return state.type === 'completed' || state.type === 'cancelled' || state.type === 'error'
}
