import { assertNever } from '../assert-never.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import type { ApprovalState } from './approval.ts'

export type ApprovalEvent =
  | { readonly type: 'approval-allow'; readonly by: string }
  | { readonly type: 'approval-deny'; readonly by: string; readonly reason: string }
  | { readonly type: 'approval-expire' }
  | { readonly type: 'approval-void'; readonly reason: string }

/** The only place an approval changes state. Whatever was decided stays: an approval is used once. */
export function nextApprovalState(
  state: ApprovalState,
  event: ApprovalEvent,
): Result<ApprovalState, IllegalTransition> {
  if (state.type !== 'pending') return failure(illegalTransition('approval', state.type, event.type))
  switch (event.type) {
    case 'approval-allow':
      return success({ type: 'allowed', by: event.by })
    case 'approval-deny':
      return success({ type: 'denied', by: event.by, reason: event.reason })
    case 'approval-expire':
      return success({ type: 'expired' })
    case 'approval-void':
      return success({ type: 'void', reason: event.reason })
    default:
      return assertNever(event)
  }
}
