import type { Refusal } from '../admission/refusal.ts'
import { assertNever } from '../assert-never.ts'
import type { AttemptId, LandingId, RunId } from '../id.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import { reasonLine } from './reason-line.ts'
import { suggestionFor } from './suggestion-for.ts'
import { isTaskFinished, runIdOf, type TaskState } from './task-state.ts'

export type TaskEvent =
  /** A limit keeps it from starting, or the limit changed. */
  | { readonly type: 'start-refuse'; readonly refusal: Refusal; readonly at: Date }
  | { readonly type: 'attempt-start'; readonly attemptId: AttemptId }
  | { readonly type: 'run-start'; readonly runId: RunId }
  /** Its run enters a stage, which may judge what was made. */
  | { readonly type: 'run-enter'; readonly isReview: boolean }
  /** Its run ended without work to land: with documents, or with a reason why there is none. */
  | { readonly type: 'run-complete' }
  | { readonly type: 'run-fail'; readonly reason: string; readonly suggestion?: string }
  /** A person wants another run to continue the one that ended without a result. */
  | { readonly type: 'run-again' }
  /** Its run ended without any work, and another one is to try. */
  | { readonly type: 'run-retry' }
  | { readonly type: 'attempt-retry' }
  | { readonly type: 'attempt-exhausted'; readonly reason: string; readonly suggestion?: string }
  | { readonly type: 'landing-request'; readonly landingId: LandingId }
  | { readonly type: 'landing-end'; readonly commit: string }
  | { readonly type: 'landing-conflict'; readonly paths: readonly string[] }
  /** Its conflict could not be merged in too many tries: a person must do it. */
  | { readonly type: 'conflict-abandon'; readonly suggestion: string }
  | {
      readonly type: 'landing-rejected'
      readonly reason: string
      readonly suggestion?: string
      /** By a person. */
      readonly isDenied?: true
    }
  | { readonly type: 'dependency-lost'; readonly reason: string; readonly suggestion?: string }
  | { readonly type: 'task-skip'; readonly reason: string }

/** The only place a task changes state. Pure: the caller stores the result. */
export function nextTaskState(state: TaskState, event: TaskEvent): Result<TaskState, IllegalTransition> {
  const illegal = failure(illegalTransition('task', state.type, event.type))
  if (event.type === 'run-again') return isUndone(state) ? success({ type: 'pending' }) : illegal
  if (isTaskFinished(state) && event.type !== 'conflict-abandon') return illegal
  const when = (isLegal: boolean, next: TaskState): Result<TaskState, IllegalTransition> =>
    isLegal ? success(next) : illegal
  const only = (from: TaskState['type'], next: TaskState) => when(state.type === from, next)
  const isAttempted = state.type === 'running' && 'attemptId' in state
  const isInRun = runIdOf(state) !== undefined
  switch (event.type) {
    case 'start-refuse':
      return only('pending', refused(state, event.refusal, event.at))
    case 'attempt-start':
      return only('pending', { type: 'running', attemptId: event.attemptId })
    case 'run-start':
      return only('pending', { type: 'running', runId: event.runId })
    case 'run-enter':
      return when(isInRun, entered(state, event))
    case 'run-complete':
      return when(isInRun, { type: 'completed' })
    case 'run-fail':
      return when(isInRun, { type: 'blocked', paths: [], ...why(event) })
    case 'run-retry':
      return when(isInRun, { type: 'pending' })
    case 'attempt-retry':
      return when(isAttempted, { type: 'pending' })
    case 'attempt-exhausted':
      return when(isAttempted, { type: 'blocked', paths: [], ...why(event) })
    case 'landing-request':
      return when(isWorkedOn(state), { type: 'landing', landingId: event.landingId })
    case 'landing-end':
      return only('landing', { type: 'completed', commit: event.commit })
    case 'landing-conflict':
      return only('landing', {
        type: 'blocked',
        reason: reasonLine(`conflicts in ${event.paths.join(', ')} with work that landed earlier`),
        paths: event.paths,
        suggestion: suggestionFor({ type: 'conflict' }),
      })
    case 'conflict-abandon':
      return state.type === 'blocked' && state.paths.length > 0
        ? success({ ...state, suggestion: event.suggestion })
        : illegal
    case 'landing-rejected':
      return only('landing', rejected(event))
    case 'dependency-lost':
      return only('pending', {
        type: 'blocked',
        paths: [],
        suggestion: suggestionFor({ type: 'dependency-lost' }),
        ...why(event),
      })
    case 'task-skip':
      return success({ type: 'skipped', reason: reasonLine(event.reason) })
    default:
      return assertNever(event)
  }
}

/** It ended, and nothing of it landed. */
function isUndone({ type }: TaskState): boolean {
  return type === 'blocked' || type === 'failed' || type === 'skipped'
}

/** Somebody works on it, or judges the work. */
function isWorkedOn({ type }: TaskState): boolean {
  return type === 'running' || type === 'review'
}

function entered(state: TaskState, { isReview }: Extract<TaskEvent, { type: 'run-enter' }>): TaskState {
  return 'runId' in state ? { ...state, type: isReview ? 'review' : 'running' } : state
}

function refused(state: TaskState, refusal: Refusal, at: Date): TaskState {
  const before = state.type === 'pending' ? state.waiting : undefined
  return { type: 'pending', waiting: { ...refusal, since: before?.since ?? at.toISOString() } }
}

function rejected(event: Extract<TaskEvent, { type: 'landing-rejected' }>): TaskState {
  return { type: 'failed', ...why(event), ...(event.isDenied === true ? { isDenied: true } : {}) }
}

/** A state's reason is one line for lists; the task's last failure has the rest. */
function why(event: { readonly reason: string; readonly suggestion?: string }) {
  const { suggestion } = event
  const reason = reasonLine(event.reason)
  return suggestion === undefined ? { reason } : { reason, suggestion }
}
