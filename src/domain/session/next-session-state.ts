import type { Refusal } from '../admission/refusal.ts'
import { assertNever } from '../assert-never.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type {
  ResumeRequest,
  SessionEnd,
  SessionState,
  Suspension,
  TerminationCause,
} from './session-state.ts'

export type SessionEvent =
  /** It has a place: its program starts next. */
  | { readonly type: 'start-admit'; readonly at: Date }
  /** A limit keeps it from starting, or the limit changed. */
  | { readonly type: 'start-refuse'; readonly refusal: Refusal; readonly at: Date }
  | { readonly type: 'host-start'; readonly pid: number; readonly startTime: string }
  | { readonly type: 'suspend-request'; readonly why: Suspension }
  | ({ readonly type: 'resume-request' } & ResumeRequest)
  /** A session whose program couldn't work tries again, as if its time had come. */
  | { readonly type: 'retry-request'; readonly at: Date }
  | { readonly type: 'stop-request'; readonly why: TerminationCause; readonly isForced?: boolean }
  | { readonly type: 'host-end'; readonly end: SessionEnd }

/**
 * The only place a session changes state. Pure: the caller stores the result. The first recorded cause is what ended a
 * session: a program that dies because it was cancelled is cancelled, not signalled. A suspended session stays
 * suspended when its program exits. A session without a program ends as soon as it is asked to stop.
 */
export function nextSessionState(
  state: SessionState,
  event: SessionEvent,
): Result<SessionState, IllegalTransition> {
  const illegal = failure(illegalTransition('session', state.type, event.type))
  if (state.type === 'terminated') return illegal
  switch (event.type) {
    case 'start-admit':
    case 'start-refuse':
      return isStartable(state) ? success(placed(state, event)) : illegal
    case 'host-start':
      return state.type === 'starting'
        ? success({ type: 'running', pid: event.pid, startTime: event.startTime })
        : illegal
    case 'suspend-request':
      return isSuspendable(state, event.why)
        ? success({ type: 'suspended', why: event.why, hasExited: false })
        : illegal
    case 'resume-request':
      return isResumable(state) ? success({ ...state, resume: resumeRequestOf(event) }) : illegal
    case 'retry-request':
      return retried(state, event.at, illegal)
    case 'stop-request':
      return stopped(state, event.why, event.isForced ?? false) ?? illegal
    case 'host-end':
      return success(ended(state, event.end))
    default:
      return assertNever(event)
  }
}

/** A session that is ending because of a failed turn can still turn out to have a program that can't work. */
function isSuspendable(state: Open, why: Suspension): boolean {
  if (state.type === 'running') return true
  if (state.type !== 'terminating' || state.isForced === true) return false
  return why.type === 'unready' && state.why.type === 'finished' && state.why.turn.type === 'failed'
}

function isResumable(state: SessionState): state is Extract<SessionState, { type: 'suspended' }> {
  return state.type === 'suspended' && state.resume === undefined
}

function retried(
  state: Open,
  at: Date,
  illegal: Result<never, IllegalTransition>,
): Result<SessionState, IllegalTransition> {
  if (!isResumable(state) || state.why.type !== 'unready') return illegal
  return success({ ...state, why: { ...state.why, until: at.toISOString() } })
}

function resumeRequestOf({ prompt, isWhole }: ResumeRequest): ResumeRequest {
  return isWhole === true ? { prompt, isWhole } : { prompt }
}

type Startable = Extract<SessionState, { type: 'waiting' | 'starting' | 'suspended' }>

/** New, waiting, or suspended and asked to resume. */
function isStartable(state: SessionState): state is Startable {
  if (state.type === 'suspended') return state.hasExited && state.resume !== undefined
  return state.type === 'waiting' || (state.type === 'starting' && state.admittedAt === undefined)
}

type Placement = Extract<SessionEvent, { type: 'start-admit' | 'start-refuse' }>

function placed(state: Startable, event: Placement): SessionState {
  const resume = state.resume === undefined ? {} : { resume: state.resume }
  const at = event.at.toISOString()
  if (event.type === 'start-admit') return { type: 'starting', admittedAt: at, ...resume }
  const since = state.type === 'waiting' ? state.since : at
  return { type: 'waiting', ...event.refusal, since, ...resume }
}

type Open = Exclude<SessionState, { type: 'terminated' }>

/** Whether no program is known to run. If a resumed one comes up anyway, it is stopped as a stray. */
function isWithoutProgram(state: Open): boolean {
  if (state.type === 'waiting') return true
  return state.type === 'suspended'
    ? state.hasExited
    : state.type === 'starting' && state.resume !== undefined
}

function stopped(
  state: Open,
  why: TerminationCause,
  isForced: boolean,
): Result<SessionState, IllegalTransition> | undefined {
  if (isWithoutProgram(state)) return success({ type: 'terminated', end: why })
  // Stopped again, and harder: the first reason stays, only the force changes.
  if (state.type === 'terminating') {
    return isForced && state.isForced !== true ? success({ ...state, isForced }) : undefined
  }
  return success({ type: 'terminating', why, ...(isForced ? { isForced } : {}) })
}

function ended(state: Open, end: SessionEnd): SessionState {
  if (state.type === 'suspended') return { ...state, hasExited: true }
  return { type: 'terminated', end: state.type === 'terminating' ? state.why : end }
}
