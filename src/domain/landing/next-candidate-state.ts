import { assertNever } from '../assert-never.ts'
import type { ApprovalId, SessionId } from '../id.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import { type CandidateState, isCandidateFinished } from './candidate-state.ts'

export type CandidateEvent =
  | { readonly type: 'check-next'; readonly sessionId: SessionId }
  /**
   * Runs all checks again in a new copy of the same tree, because each may need what the ones before it produced. A
   * check may have failed by chance, or its result was lost.
   */
  | { readonly type: 'check-again'; readonly sessionId: SessionId; readonly why: 'failed' | 'lost' }
  | { readonly type: 'checks-pass' }
  | { readonly type: 'check-fail'; readonly reason: string }
  | { readonly type: 'approval-ask'; readonly approvalId: ApprovalId }
  | { readonly type: 'approval-allow' }
  /** `isByPerson`: a person said no, and not only that no one answered. */
  | { readonly type: 'approval-deny'; readonly reason: string; readonly isByPerson?: true }
  | { readonly type: 'branch-moved' }
  | { readonly type: 'candidate-drop'; readonly reason: string }

const LEGAL_FROM: Record<CandidateEvent['type'], readonly CandidateState['type'][]> = {
  'check-next': ['checking'],
  'check-again': ['checking'],
  'checks-pass': ['checking'],
  'check-fail': ['checking'],
  'approval-ask': ['passed'],
  'approval-allow': ['asking'],
  'approval-deny': ['asking'],
  'branch-moved': ['passed', 'allowed'],
  'candidate-drop': ['checking', 'passed', 'asking', 'allowed', 'failed'],
}

/** The only place a candidate changes state. It can land only after every check has passed on its own tree, or failed as on the base. */
export function nextCandidateState(
  state: CandidateState,
  event: CandidateEvent,
): Result<CandidateState, IllegalTransition> {
  const isLegal = LEGAL_FROM[event.type].includes(state.type) && !isCandidateFinished(state)
  if (!isLegal) return failure(illegalTransition('candidate', state.type, event.type))
  switch (event.type) {
    case 'check-next':
    case 'check-again':
      return success(nextCheck(state, event))
    case 'checks-pass':
      return success({ type: 'passed' })
    case 'check-fail':
      return success({ type: 'failed', reason: event.reason })
    case 'approval-deny':
      return success({
        type: 'failed',
        reason: event.reason,
        isDenied: true,
        ...(event.isByPerson === true ? { isByPerson: true } : {}),
      })
    case 'approval-ask':
      return success({ type: 'asking', approvalId: event.approvalId })
    case 'approval-allow':
      return success(state.type === 'asking' ? { ...state, type: 'allowed' } : state)
    case 'branch-moved':
      return success({ type: 'landed' })
    case 'candidate-drop':
      return success({ type: 'dropped', reason: event.reason })
    default:
      return assertNever(event)
  }
}

function nextCheck(
  state: CandidateState,
  event: Extract<CandidateEvent, { type: 'check-next' | 'check-again' }>,
): CandidateState {
  if (state.type !== 'checking') return state
  const { sessionId } = event
  if (event.type === 'check-next') return { ...state, checkIndex: state.checkIndex + 1, sessionId }
  const again = { ...state, checkIndex: 0, sessionId }
  return event.why === 'failed'
    ? { ...again, suspects: [...state.suspects, state.checkIndex] }
    : { ...again, lost: state.lost + 1 }
}
