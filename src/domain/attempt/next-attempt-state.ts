import { assertNever } from '../assert-never.ts'
import { failure, type Result, success } from '../result.ts'
import type { Ending } from '../session/ending.ts'
import type { SessionEnd } from '../session/session-state.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { AttemptOutcome, AttemptState } from './attempt.ts'

export type AttemptEvent =
  | { readonly type: 'session-start' }
  | { readonly type: 'session-end'; readonly end: SessionEnd; readonly ending: Ending }
  /** A new session continues in the same tree. */
  | { readonly type: 'session-handoff' }
  | { readonly type: 'attempt-settle'; readonly outcome: AttemptOutcome }

/** The only place an attempt changes state. Pure: the caller stores the result. */
export function nextAttemptState(
  state: AttemptState,
  event: AttemptEvent,
): Result<AttemptState, IllegalTransition> {
  const illegal = failure(illegalTransition('attempt', state.type, event.type))
  switch (event.type) {
    case 'session-start':
      return state.type === 'preparing' ? success({ type: 'running' }) : illegal
    case 'session-end':
      return state.type === 'preparing' || state.type === 'running'
        ? success({ type: 'ended', end: event.end, ending: event.ending })
        : illegal
    case 'session-handoff':
      return state.type === 'running' ? success({ type: 'preparing' }) : illegal
    case 'attempt-settle':
      return state.type === 'ended' ? success({ type: 'settled', outcome: event.outcome }) : illegal
    default:
      return assertNever(event)
  }
}
