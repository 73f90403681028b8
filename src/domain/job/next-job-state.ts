import { assertNever } from '../assert-never.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import { type CompletionReason, isJobOver, type JobState } from './job-state.ts'

export type JobEvent =
  | { readonly type: 'job-start' }
  | { readonly type: 'pause-request' }
  | { readonly type: 'pause-reached' }
  | { readonly type: 'job-resume' }
  | { readonly type: 'job-cancel'; readonly reason: string }
  | { readonly type: 'job-end'; readonly reason: CompletionReason; readonly evidence: readonly string[] }
  | { readonly type: 'job-error'; readonly error: string }

/** The only place a job changes state. Pure: the caller stores the answer. */
export function nextJobState(state: JobState, event: JobEvent): Result<JobState, IllegalTransition> {
  const illegal = failure(illegalTransition('job', state.type, event.type))
  if (isJobOver(state)) return illegal
  switch (event.type) {
    case 'job-start':
      return state.type === 'pending' ? success({ type: 'running', pausing: false }) : illegal
    case 'pause-request':
      return state.type === 'running' ? success({ type: 'running', pausing: true }) : illegal
    case 'pause-reached':
      return state.type === 'running' && state.pausing ? success({ type: 'paused' }) : illegal
    case 'job-resume':
      return canResume(state) ? success({ type: 'running', pausing: false }) : illegal
    case 'job-cancel':
      return success({ type: 'cancelled', reason: event.reason })
    case 'job-end':
      return state.type === 'running'
        ? success({ type: 'completed', reason: event.reason, evidence: event.evidence })
        : illegal
    case 'job-error':
      return state.type === 'pending' || state.type === 'running'
        ? success({ type: 'error', error: event.error })
        : illegal
    default:
      return assertNever(event)
  }
}

/** A pause that was asked for and not yet reached can be taken back. */
function canResume(state: JobState): boolean {
  return state.type === 'paused' || (state.type === 'running' && state.pausing)
}
