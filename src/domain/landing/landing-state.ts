import type { CandidateId } from '../id.ts'

export type LandingState =
  | { readonly type: 'queued' }
  /** It is part of a candidate that is being checked, or waits for those before it, or for a person. */
  | { readonly type: 'checking'; readonly candidateId: CandidateId }
  | {
      readonly type: 'landed'
      readonly commit: string
      readonly tree: string
      /** All that it brings was there already. */
      readonly isContained?: boolean
    }
  | { readonly type: 'conflicted'; readonly paths: readonly string[] }
  | { readonly type: 'rejected'; readonly reason: string }

export function isLandingOver(state: LandingState): boolean {
  return state.type === 'landed' || state.type === 'conflicted' || state.type === 'rejected'
}
