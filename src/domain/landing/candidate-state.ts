import type { ApprovalId, SessionId } from '../id.ts'
import type { LandingMode } from './landing-mode.ts'

export type CandidateState =
  /** A check runs in a session, on exactly the candidate's tree. */
  | {
      readonly type: 'checking'
      readonly checkIndex: number
      readonly sessionId: SessionId
      /** Which checks have failed once on this tree and are given a second chance. */
      readonly suspects: readonly number[]
      /** How often a check ended in a way that says nothing about the tree. */
      readonly lost: number
    }
  /** Every check passed on exactly its tree; it lands when what it builds on has landed. */
  | { readonly type: 'passed' }
  /** As passed, and a person is shown the diff and asked. */
  | { readonly type: 'asking'; readonly approvalId: ApprovalId }
  /** As passed, and a person allowed exactly this commit on exactly this head. */
  | { readonly type: 'allowed'; readonly approvalId: ApprovalId }
  /** A verdict on its landings, once what it builds on has landed. */
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'landed' }
  /** It will not land: what it builds on did not come to be, or it was divided or refused. */
  | { readonly type: 'dropped'; readonly reason: string }

export function isCandidateOver(state: CandidateState): boolean {
  return state.type === 'landed' || state.type === 'dropped'
}

/** Whether nothing stands between a candidate and its branch; it may have moved the branch before a death. */
export function mayLand(state: CandidateState, mode: LandingMode): boolean {
  return state.type === 'allowed' || (state.type === 'passed' && mode !== 'approve')
}
