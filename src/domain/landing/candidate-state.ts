import type { CheckProgress } from '../check/check-progress.ts'
import type { ApprovalId } from '../id.ts'
import type { LandingMode } from './landing-mode.ts'

export type CandidateState =
  /** A check is running in a session, on exactly the candidate's tree. */
  | ({ readonly type: 'checking' } & CheckProgress)
  /** Every check ran on exactly its tree and passed, or may fail as on the base; it lands once what it builds on has landed. */
  | { readonly type: 'passed' }
  /** Passed, and a person was shown the diff and asked for approval. */
  | { readonly type: 'asking'; readonly approvalId: ApprovalId }
  /** Passed, and a person allowed exactly this commit on exactly what it builds on. */
  | { readonly type: 'allowed'; readonly approvalId: ApprovalId }
  /** Final once everything it builds on has landed. */
  | {
      readonly type: 'failed'
      readonly reason: string
      /** It was denied, or no one approved it in time, which is final whatever it builds on. */
      readonly isDenied?: true
      /** A person said no. */
      readonly isByPerson?: true
    }
  | { readonly type: 'landed' }
  /** It will not land: it was rejected or divided, or what it builds on did not land. */
  | { readonly type: 'dropped'; readonly reason: string }

export function isCandidateFinished(state: CandidateState): boolean {
  return state.type === 'landed' || state.type === 'dropped'
}

/** Whether the candidate may land now. It may already have moved the branch before a crash. */
export function mayLand(state: CandidateState, mode: LandingMode, isUnusual: boolean): boolean {
  return state.type === 'allowed' || (state.type === 'passed' && mode !== 'approve' && !isUnusual)
}
