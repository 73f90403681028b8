import type { SessionId } from '../id.ts'
import type { CandidateState } from './candidate-state.ts'

/** Where a new candidate stands: in its first check, or, where no checks are configured, passed without one. */
export function firstCandidateState(firstCheck: SessionId | undefined): CandidateState {
  return firstCheck === undefined
    ? { type: 'passed' }
    : { type: 'checking', checkIndex: 0, sessionId: firstCheck, suspects: [], lost: 0 }
}
