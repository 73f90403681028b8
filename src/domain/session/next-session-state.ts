import { assertNever } from '../assert-never.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { ResumeWish, SessionEnd, SessionState, Suspension, TerminationCause } from './session-state.ts'

export type SessionEvent =
  | { readonly type: 'host-start'; readonly pid: number; readonly startTime: string }
  | { readonly type: 'suspend-request'; readonly why: Suspension }
  | ({ readonly type: 'resume-request' } & ResumeWish)
  | { readonly type: 'stop-request'; readonly why: TerminationCause; readonly isForced?: boolean }
  | { readonly type: 'host-end'; readonly end: SessionEnd }

/**
 * The only place a session changes state. Pure: the caller stores the answer. What ended a session is the
 * first cause recorded: a program that dies because it was cancelled is cancelled, not signalled. A suspended
 * session stays so when its program goes; asked to stop, it is over at once, for nothing of it runs.
 */
export function nextSessionState(
  state: SessionState,
  event: SessionEvent,
): Result<SessionState, IllegalTransition> {
  const illegal = failure(illegalTransition('session', state.type, event.type))
  if (state.type === 'terminated') return illegal
  switch (event.type) {
    case 'host-start':
      return canStart(state)
        ? success({ type: 'running', pid: event.pid, startTime: event.startTime })
        : illegal
    case 'suspend-request':
      return state.type === 'running'
        ? success({ type: 'suspended', why: event.why, isOver: false })
        : illegal
    case 'resume-request':
      return state.type === 'suspended' && state.resume === undefined
        ? success({ ...state, resume: wishOf(event) })
        : illegal
    case 'stop-request':
      return stopped(state, event.why, event.isForced ?? false) ?? illegal
    case 'host-end':
      return success(ended(state, event.end))
    default:
      return assertNever(event)
  }
}

function wishOf({ prompt, isWhole }: ResumeWish): ResumeWish {
  return isWhole === true ? { prompt, isWhole } : { prompt }
}

function canStart(state: SessionState): boolean {
  return state.type === 'starting' || (state.type === 'suspended' && state.isOver)
}

type Open = Exclude<SessionState, { type: 'terminated' }>

function stopped(
  state: Open,
  why: TerminationCause,
  isForced: boolean,
): Result<SessionState, IllegalTransition> | undefined {
  if (state.type === 'suspended' && state.isOver) return success({ type: 'terminated', end: why })
  // Asked again, and harder: the reason stays, the manners do not.
  if (state.type === 'terminating') {
    return isForced && state.isForced !== true ? success({ ...state, isForced }) : undefined
  }
  return success({ type: 'terminating', why, ...(isForced ? { isForced } : {}) })
}

function ended(state: Open, end: SessionEnd): SessionState {
  if (state.type === 'suspended') return { ...state, isOver: true }
  return { type: 'terminated', end: state.type === 'terminating' ? state.why : end }
}
