import { assertNever } from '../assert-never.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { SessionEnd, SessionState, TerminationCause } from './session-state.ts'

export type SessionEvent =
  | { readonly type: 'host-start'; readonly pid: number; readonly startTime: string }
  | { readonly type: 'stop-request'; readonly why: TerminationCause }
  | { readonly type: 'host-end'; readonly end: SessionEnd }

/**
 * The only place a session changes state. Pure: the caller stores the answer. What ended a session is the
 * first cause recorded: a program that dies because it was cancelled is cancelled, not signalled.
 */
export function nextSessionState(
  state: SessionState,
  event: SessionEvent,
): Result<SessionState, IllegalTransition> {
  const illegal = failure(illegalTransition('session', state.type, event.type))
  if (state.type === 'terminated') return illegal
  switch (event.type) {
    case 'host-start':
      return state.type === 'starting'
        ? success({ type: 'running', pid: event.pid, startTime: event.startTime })
        : illegal
    case 'stop-request':
      return state.type === 'terminating' ? illegal : success({ type: 'terminating', why: event.why })
    case 'host-end':
      return success({ type: 'terminated', end: state.type === 'terminating' ? state.why : event.end })
    default:
      return assertNever(event)
  }
}
