import type { Waiting } from '../admission/refusal.ts'
import type { AttemptId, LandingId } from '../id.ts'

export type TaskState =
  /** `waiting`: only a limit keeps it from starting. Absent while it waits for other tasks. */
  | { readonly type: 'pending'; readonly waiting?: Waiting }
  | { readonly type: 'running'; readonly attemptId: AttemptId }
  /** Done according to its agent; a reviewer is judging it. */
  | { readonly type: 'review'; readonly attemptId: AttemptId }
  | { readonly type: 'landing'; readonly landingId: LandingId }
  | { readonly type: 'completed'; readonly commit: string }
  | {
      readonly type: 'failed'
      readonly reason: string
      readonly suggestion?: string
      /** A person denied its work, so it's left out on purpose. Absent in tasks stored before this field existed. */
      readonly isDenied?: true
    }
  /** It can't continue on its own. The reason is one line; the suggestion says what a person can do. */
  | {
      readonly type: 'blocked'
      readonly reason: string
      readonly paths: readonly string[]
      readonly suggestion?: string
    }
  | { readonly type: 'skipped'; readonly reason: string }

/** Whether a person denied the task's work. */
export function isTaskDenied(state: TaskState): boolean {
  return state.type === 'failed' && state.isDenied === true
}

export function isTaskFinished(state: TaskState): boolean {
  return (
    state.type === 'completed' ||
    state.type === 'failed' ||
    state.type === 'blocked' ||
    state.type === 'skipped'
  )
}
