import type { Refusal } from '../admission/refusal.ts'
import { assertNever } from '../assert-never.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { CompletionReason, JobState } from './job-state.ts'

export type JobEvent =
  | { readonly type: 'job-start' }
  | { readonly type: 'pause-request' }
  | { readonly type: 'pause-reached' }
  | { readonly type: 'job-resume' }
  /** The daily budget is spent: nothing starts until then (ISO time). */
  | { readonly type: 'day-spent'; readonly until: string }
  /** A limit keeps the planner from starting, or the limit changed. */
  | { readonly type: 'start-refuse'; readonly refusal: Refusal; readonly at: Date }
  /** The planner starts. */
  | { readonly type: 'start-admit' }
  | { readonly type: 'job-cancel'; readonly reason?: string }
  | { readonly type: 'job-end'; readonly reason: CompletionReason; readonly evidence: readonly string[] }
  | { readonly type: 'job-error'; readonly error: string }

const LEGAL_FROM: Record<JobEvent['type'], readonly JobState['type'][]> = {
  'job-start': ['pending'],
  'pause-request': ['running'],
  'pause-reached': ['running'],
  'job-resume': ['paused', 'running'],
  'day-spent': ['running'],
  'start-refuse': ['running'],
  'start-admit': ['running'],
  'job-cancel': ['pending', 'running', 'paused'],
  'job-end': ['running'],
  'job-error': ['pending', 'running'],
}

/** The only place a job changes state. Pure: the caller stores the result. */
export function nextJobState(state: JobState, event: JobEvent): Result<JobState, IllegalTransition> {
  if (!isLegal(state, event)) return failure(illegalTransition('job', state.type, event.type))
  switch (event.type) {
    case 'job-start':
    case 'job-resume':
      return success({ type: 'running', pausing: false })
    case 'pause-request':
      return success({ type: 'running', pausing: true })
    case 'pause-reached':
      return success({ type: 'paused' })
    case 'day-spent':
      return success({ ...running(state), pausing: false, restsUntil: event.until })
    case 'start-refuse': {
      const since = running(state).waiting?.since ?? event.at.toISOString()
      return success({ ...running(state), waiting: { ...event.refusal, since } })
    }
    case 'start-admit': {
      const { waiting: _, ...started } = running(state)
      return success(started)
    }
    case 'job-cancel':
      return success(
        event.reason === undefined ? { type: 'cancelled' } : { type: 'cancelled', reason: event.reason },
      )
    case 'job-end':
      return success({ type: 'completed', reason: event.reason, evidence: event.evidence })
    case 'job-error':
      return success({ type: 'error', error: event.error })
    default:
      return assertNever(event)
  }
}

type Running = Extract<JobState, { type: 'running' }>

function running(state: JobState): Running {
  return state.type === 'running' ? state : { type: 'running', pausing: false }
}

function isLegal(state: JobState, event: JobEvent): boolean {
  if (!LEGAL_FROM[event.type].includes(state.type)) return false
  if (event.type === 'day-spent') return state.type === 'running' && !state.pausing
  // A pause can be reached only if it was requested, and the request can be taken back until then.
  const concernsPause = event.type === 'pause-reached' || event.type === 'job-resume'
  return !(concernsPause && state.type === 'running') || state.pausing
}
