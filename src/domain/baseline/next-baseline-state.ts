import { assertNever } from '../assert-never.ts'
import { type CheckEvent, nextCheckProgress } from '../check/next-check-progress.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { BaselineState } from './baseline-state.ts'

export type BaselineEvent =
  | CheckEvent
  | { readonly type: 'checks-end'; readonly hasFailures: boolean }
  | { readonly type: 'checks-lost'; readonly reason: string }
  | { readonly type: 'checks-release' }

/** The only place a baseline changes state. Its verdict is final: a new try is a new baseline. */
export function nextBaselineState(
  state: BaselineState,
  event: BaselineEvent,
): Result<BaselineState, IllegalTransition> {
  if (state.type !== 'checking') return failure(illegalTransition('baseline', state.type, event.type))
  switch (event.type) {
    case 'check-next':
    case 'check-again':
      return success(nextCheckProgress(state, event))
    case 'checks-end':
      return success({ type: event.hasFailures ? 'failed' : 'passed' })
    case 'checks-lost':
      return success({ type: 'unknown', reason: event.reason })
    case 'checks-release':
      return success({ type: 'released' })
    default:
      return assertNever(event)
  }
}
