import { assertNever } from '../assert-never.ts'
import type { ApprovalRuleId } from '../id.ts'
import { failure, type Result, success } from '../result.ts'
import { type IllegalTransition, illegalTransition } from '../transition.ts'
import { withoutUndefined } from '../without-undefined.ts'
import type { ApprovalState } from './approval.ts'

export type ApprovalEvent =
  | { readonly type: 'approval-allow'; readonly by: string; readonly ruleId?: ApprovalRuleId }
  | { readonly type: 'approval-deny'; readonly by: string; readonly reason?: string; readonly aborts?: true }
  | { readonly type: 'approval-expire' }
  | { readonly type: 'approval-void'; readonly reason: string }

/** The only place an approval changes state. A decision is final: an approval is used once. */
export function nextApprovalState(
  state: ApprovalState,
  event: ApprovalEvent,
): Result<ApprovalState, IllegalTransition> {
  if (state.type !== 'pending') return failure(illegalTransition('approval', state.type, event.type))
  switch (event.type) {
    case 'approval-allow':
      return success(withoutUndefined({ type: 'allowed', by: event.by, ruleId: event.ruleId } as const))
    case 'approval-deny':
      return success(
        withoutUndefined({
          type: 'denied',
          by: event.by,
          reason: event.reason,
          aborts: event.aborts,
        } as const),
      )
    case 'approval-expire':
      return success({ type: 'expired' })
    case 'approval-void':
      return success({ type: 'void', reason: event.reason })
    default:
      return assertNever(event)
  }
}
