import type { CheckProgress } from '../check/check-progress.ts'

export type BaselineState =
  /** A check is running in a session. */
  | ({ readonly type: 'checking' } & CheckProgress)
  | { readonly type: 'passed' }
  | { readonly type: 'failed' }
  /** It could not be run, so nothing is known about the base. */
  | { readonly type: 'unknown'; readonly reason: string }
  /** It was stopped because no job waited for it any more. A job that does after all starts another. */
  | { readonly type: 'released' }

export function isBaselineFinished(state: BaselineState): boolean {
  return state.type !== 'checking'
}
