import { assertNever } from '../assert-never.ts'
import { type CheckEvent, nextCheckProgress } from '../check/next-check-progress.ts'
import type { ApprovalId } from '../id.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import { type CandidateState, isCandidateFinished } from './candidate-state.ts'

export type CandidateEvent =
  | CheckEvent
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
      return success(state.type === 'checking' ? nextCheckProgress(state, event) : state)
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
