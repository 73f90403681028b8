import { nextApprovalState } from '../../domain/approval/next-approval-state.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeDecision } from './store-decision.ts'

const MOST_OPEN = 1_000

/** Whoever asked is gone: what it asked for can no longer be allowed. */
export async function voidApprovals(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  session: Session,
  reason: string,
): Promise<void> {
  const open = await records.approvals.list({ sessionId: session.id, isPending: true }, MOST_OPEN)
  for (const approval of open) {
    const state = nextApprovalState(approval.state, { type: 'approval-void', reason })
    if (state.ok) await storeDecision(needs, records, { approval, state: state.value, actor: 'engine' })
  }
}
