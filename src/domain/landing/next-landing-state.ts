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
  | { readonly type: 'check-lost' }
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
  if (event.type === 'landing-reject') return success({ type: 'rejected', reason: event.reason })
  switch (state.type) {
    case 'queued':
      return afterQueued(event) ?? illegal
    case 'checking':
      return afterChecking(state, event) ?? illegal
    case 'checked':
      return afterChecked(state, event) ?? illegal
    default:
      return illegal
  }
}

type Next = { readonly ok: true; readonly value: LandingState } | undefined

function afterQueued(event: LandingEvent): Next {
  if (event.type === 'merge-conflict') return success({ type: 'conflicted', paths: event.paths })
  return event.type === 'merge-end' ? success(merged(event)) : undefined
}

function afterChecking(state: Extract<LandingState, { type: 'checking' }>, event: LandingEvent): Next {
  const { onto, commit, tree } = state
  if (event.type === 'checks-end') return success({ type: 'checked', onto, commit, tree })
  // Nobody saw how the check ended, so nothing is known of this tree: start over.
  if (event.type === 'check-lost') return success({ type: 'queued' })
  if (event.type !== 'check-next') return undefined
  return success({ ...state, checkIndex: state.checkIndex + 1, sessionId: event.sessionId })
}

function afterChecked(state: Extract<LandingState, { type: 'checked' }>, event: LandingEvent): Next {
  if (event.type === 'branch-moved')
    return success({ type: 'landed', commit: state.commit, tree: state.tree })
  // Somebody else moved the branch: what was checked is no longer what would land, so start over.
  return event.type === 'branch-lost' ? success({ type: 'queued' }) : undefined
}

function merged(event: Extract<LandingEvent, { type: 'merge-end' }>): LandingState {
  const { onto, commit, tree, sessionId } = event
  if (sessionId === undefined) return { type: 'checked', onto, commit, tree }
  return { type: 'checking', onto, commit, tree, checkIndex: 0, sessionId }
}
