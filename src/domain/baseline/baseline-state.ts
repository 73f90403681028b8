import type { SessionId } from '../id.ts'

export type BaselineState =
  /** A check is running in a session; the fields are those of a candidate that is being checked. */
  | {
      readonly type: 'checking'
      readonly checkIndex: number
      readonly sessionId: SessionId
      /** The checks that failed once and get a second chance. */
      readonly suspects: readonly number[]
      /** How often a check ended without a result for the tree. */
      readonly lost: number
    }
  | { readonly type: 'passed' }
  | { readonly type: 'failed' }
  /** It could not be run, so nothing is known about the base. */
  | { readonly type: 'unknown'; readonly reason: string }
  /** It was stopped because no job waited for it any more. A job that does after all starts another. */
  | { readonly type: 'released' }

export function isBaselineFinished(state: BaselineState): boolean {
  return state.type !== 'checking'
}
