import type { AttemptId, LandingId } from '../id.ts'

export type TaskState =
  | { readonly type: 'pending' }
  | { readonly type: 'running'; readonly attemptId: AttemptId }
  | { readonly type: 'landing'; readonly landingId: LandingId }
  | { readonly type: 'completed'; readonly commit: string }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'blocked'; readonly reason: string; readonly paths: readonly string[] }
  | { readonly type: 'skipped'; readonly reason: string }

export function isTaskOver(state: TaskState): boolean {
  return (
    state.type === 'completed' ||
    state.type === 'failed' ||
    state.type === 'blocked' ||
    state.type === 'skipped'
  )
}
