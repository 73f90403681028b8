import { assertNever } from '../assert-never.ts'
import type { SessionId } from '../id.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { BaselineState } from './baseline-state.ts'

export type BaselineEvent =
  | { readonly type: 'check-next'; readonly sessionId: SessionId }
  /** Runs all checks again in a new copy of the tree, as for a candidate. */
  | { readonly type: 'check-again'; readonly sessionId: SessionId; readonly why: 'failed' | 'lost' }
  | { readonly type: 'checks-end'; readonly hasFailures: boolean }
  | { readonly type: 'checks-lost'; readonly reason: string }
  | { readonly type: 'checks-release' }

/** The only place a baseline changes state. Its verdict is final: a new try is a new baseline. */
export function nextBaselineState(
  state: BaselineState,
  event: BaselineEvent,
): Result<BaselineState, IllegalTransition> {
  if (state.type !== 'checking') return failure(illegalTransition('baseline', state.type, event.type))
  switch (event.type) {
    case 'check-next':
      return success({ ...state, checkIndex: state.checkIndex + 1, sessionId: event.sessionId })
    case 'check-again': {
      const again = { ...state, checkIndex: 0, sessionId: event.sessionId }
      return success(
        event.why === 'failed'
          ? { ...again, suspects: [...state.suspects, state.checkIndex] }
          : { ...again, lost: state.lost + 1 },
      )
    }
    case 'checks-end':
      return success({ type: event.hasFailures ? 'failed' : 'passed' })
    case 'checks-lost':
      return success({ type: 'unknown', reason: event.reason })
    case 'checks-release':
      return success({ type: 'released' })
    default:
      return assertNever(event)
  }
}
