import type { Waiting } from '../admission/refusal.ts'
import type { AttemptId, LandingId } from '../id.ts'

export type TaskState =
  /** `waiting`: it could start but for a limit. Absent while it waits for other tasks. */
  | { readonly type: 'pending'; readonly waiting?: Waiting }
  | { readonly type: 'running'; readonly attemptId: AttemptId }
  /** Done by its agent's word; a reviewer looks at it. */
  | { readonly type: 'review'; readonly attemptId: AttemptId }
  | { readonly type: 'landing'; readonly landingId: LandingId }
  | { readonly type: 'completed'; readonly commit: string }
  | { readonly type: 'failed'; readonly reason: string; readonly suggestion?: string }
  /** It cannot go on by itself. The reason is one line; the suggestion says what a person may do. */
  | {
      readonly type: 'blocked'
      readonly reason: string
      readonly paths: readonly string[]
      readonly suggestion?: string
    }
  | { readonly type: 'skipped'; readonly reason: string }

export function isTaskOver(state: TaskState): boolean {
  return (
    state.type === 'completed' ||
    state.type === 'failed' ||
    state.type === 'blocked' ||
    state.type === 'skipped'
  )
}
