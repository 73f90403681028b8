import type { SessionId } from '../id.ts'

export type LandingState =
  | { readonly type: 'queued' }
  /** Checks run on `commit`, made by merging the tip onto `onto`; `tree` is what must land. */
  | {
      readonly type: 'checking'
      readonly onto: string
      readonly commit: string
      readonly tree: string
      readonly checkIndex: number
      readonly sessionId: SessionId
    }
  /** Every check passed on `commit`; only the branch has to move. */
  | { readonly type: 'checked'; readonly onto: string; readonly commit: string; readonly tree: string }
  | { readonly type: 'landed'; readonly commit: string; readonly tree: string }
  | { readonly type: 'conflicted'; readonly paths: readonly string[] }
  | { readonly type: 'rejected'; readonly reason: string }

export function isLandingOver(state: LandingState): boolean {
  return state.type === 'landed' || state.type === 'conflicted' || state.type === 'rejected'
}
