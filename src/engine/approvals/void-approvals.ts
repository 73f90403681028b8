import { nextApprovalState } from '../../domain/approval/next-approval-state.ts'
import type { ApprovalId } from '../../domain/id.ts'
import { APPROVAL_LIMITS } from '../../domain/limits/approval-limits.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeDecision } from './store-decision.ts'

/** Withdraws a pending approval request, which can then no longer be allowed. */
export async function voidApproval(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  approvalId: ApprovalId,
  reason: string,
): Promise<void> {
  const approval = await records.approvals.find(approvalId)
  const state =
    approval === undefined ? undefined : nextApprovalState(approval.state, { type: 'approval-void', reason })
  if (approval === undefined || state?.ok !== true) return
  await storeDecision(needs, records, { approval, state: state.value, actor: 'engine' })
}

/** Withdraws the pending approval requests of a session that has ended. */
export async function voidApprovals(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  session: Session,
  reason: string,
): Promise<void> {
  const open = await records.approvals.list(
    { sessionId: session.id, isPending: true },
    APPROVAL_LIMITS.perRound,
  )
  for (const { id } of open) await voidApproval(needs, records, id, reason)
}
