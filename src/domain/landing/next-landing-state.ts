import { assertNever } from '../assert-never.ts'
import type { SessionId } from '../id.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import { isLandingOver, type LandingState } from './landing-state.ts'

export type LandingEvent =
  | {
      readonly type: 'merge-end'
      readonly onto: string
      readonly commit: string
      readonly tree: string
      /** Absent when no checks are configured. */
      readonly sessionId?: SessionId
    }
  | { readonly type: 'merge-conflict'; readonly paths: readonly string[] }
  | { readonly type: 'check-next'; readonly sessionId: SessionId }
  | { readonly type: 'checks-end' }
  | { readonly type: 'branch-moved' }
  | { readonly type: 'branch-lost' }
  | { readonly type: 'landing-reject'; readonly reason: string }

/** The only place a landing changes state. What lands is always what was merged and checked before. */
export function nextLandingState(
  state: LandingState,
  event: LandingEvent,
): Result<LandingState, IllegalTransition> {
  const illegal = failure(illegalTransition('landing', state.type, event.type))
  if (isLandingOver(state)) return illegal
  switch (event.type) {
    case 'merge-end':
      return state.type === 'queued' ? success(merged(event)) : illegal
    case 'merge-conflict':
      return state.type === 'queued' ? success({ type: 'conflicted', paths: event.paths }) : illegal
    case 'check-next':
      return state.type === 'checking'
        ? success({ ...state, checkIndex: state.checkIndex + 1, sessionId: event.sessionId })
        : illegal
    case 'checks-end':
      return state.type === 'checking'
        ? success({ type: 'checked', onto: state.onto, commit: state.commit, tree: state.tree })
        : illegal
    case 'branch-moved':
      return state.type === 'checked'
        ? success({ type: 'landed', commit: state.commit, tree: state.tree })
        : illegal
    // Somebody else moved the branch: what was checked is no longer what would land, so start over.
    case 'branch-lost':
      return state.type === 'checked' ? success({ type: 'queued' }) : illegal
    case 'landing-reject':
      return success({ type: 'rejected', reason: event.reason })
    default:
      return assertNever(event)
  }
}

function merged(event: Extract<LandingEvent, { type: 'merge-end' }>): LandingState {
  const { onto, commit, tree, sessionId } = event
  if (sessionId === undefined) return { type: 'checked', onto, commit, tree }
  return { type: 'checking', onto, commit, tree, checkIndex: 0, sessionId }
}
