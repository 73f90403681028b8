import type { ApprovalId, SessionId } from '../id.ts'
import type { LandingMode } from './landing-mode.ts'

export type CandidateState =
  /** A check runs in a session, on exactly the candidate's tree. */
  | {
      readonly type: 'checking'
      readonly checkIndex: number
      readonly sessionId: SessionId
      /** The checks that failed once on this tree and get a second chance. */
      readonly suspects: readonly number[]
      /** How often the end of a check said nothing about the tree. */
      readonly lost: number
    }
  /** Every check passed on exactly its tree; it lands when what it builds on has landed. */
  | { readonly type: 'passed' }
  /** As passed, and a person is shown the diff and asked. */
  | { readonly type: 'asking'; readonly approvalId: ApprovalId }
  /** As passed, and a person allowed exactly this commit on exactly this head. */
  | { readonly type: 'allowed'; readonly approvalId: ApprovalId }
  /** Final once everything it builds on has landed. */
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'landed' }
  /** It will not land: it was refused or divided, or what it builds on did not land. */
  | { readonly type: 'dropped'; readonly reason: string }

export function isCandidateOver(state: CandidateState): boolean {
  return state.type === 'landed' || state.type === 'dropped'
}

/** Whether nothing stands between a candidate and its branch; it may have moved the branch before a death. */
export function mayLand(state: CandidateState, mode: LandingMode): boolean {
  return state.type === 'allowed' || (state.type === 'passed' && mode !== 'approve')
}
