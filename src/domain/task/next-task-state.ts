import { assertNever } from '../assert-never.ts'
import type { AttemptId, LandingId } from '../id.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import { isTaskOver, type TaskState } from './task-state.ts'

export type TaskEvent =
  | { readonly type: 'attempt-start'; readonly attemptId: AttemptId }
  | { readonly type: 'attempt-retry' }
  | { readonly type: 'attempt-exhausted'; readonly reason: string }
  | { readonly type: 'landing-request'; readonly landingId: LandingId }
  | { readonly type: 'landing-end'; readonly commit: string }
  | { readonly type: 'landing-conflict'; readonly paths: readonly string[] }
  | { readonly type: 'landing-rejected'; readonly reason: string }
  | { readonly type: 'dependency-lost'; readonly reason: string }
  | { readonly type: 'task-skip'; readonly reason: string }

/** The only place a task changes state. Pure: the caller stores the answer. */
export function nextTaskState(state: TaskState, event: TaskEvent): Result<TaskState, IllegalTransition> {
  const illegal = failure(illegalTransition('task', state.type, event.type))
  if (isTaskOver(state)) return illegal
  const only = (from: TaskState['type'], next: TaskState): Result<TaskState, IllegalTransition> =>
    state.type === from ? success(next) : illegal
  switch (event.type) {
    case 'attempt-start':
      return only('pending', { type: 'running', attemptId: event.attemptId })
    case 'attempt-retry':
      return only('running', { type: 'pending' })
    case 'attempt-exhausted':
      return only('running', { type: 'failed', reason: event.reason })
    case 'landing-request':
      return only('running', { type: 'landing', landingId: event.landingId })
    case 'landing-end':
      return only('landing', { type: 'completed', commit: event.commit })
    case 'landing-conflict':
      return only('landing', {
        type: 'blocked',
        reason: `conflicts with what landed before it in ${event.paths.join(', ')}`,
        paths: event.paths,
      })
    case 'landing-rejected':
      return only('landing', { type: 'failed', reason: event.reason })
    case 'dependency-lost':
      return only('pending', { type: 'blocked', reason: event.reason, paths: [] })
    case 'task-skip':
      return success({ type: 'skipped', reason: event.reason })
    default:
      return assertNever(event)
  }
}
