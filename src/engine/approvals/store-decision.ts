import type { Approval, ApprovalState } from '../../domain/approval/approval.ts'
import { approvalDecided } from '../../domain/event/approval-events.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { EngineNeeds } from '../engine-needs.ts'

export type Decision = {
  readonly approval: Approval
  readonly state: ApprovalState
  readonly actor: 'person' | 'engine'
  /** The work that wakes the merge queue, if it waits for the decision. */
  readonly follow?: readonly Work[]
}

/** Stores the decision on an approval request. */
export async function storeDecision(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  { approval, state, actor, follow = [] }: Decision,
): Promise<Approval> {
  const { id, digest } = approval
  const decided = { ...approval, state, decidedAt: needs.clock.now() }
  return await records.approvals.save(decided, {
    audit: { actor, action: `approval-${state.type}`, subject: id, detail: { digest } },
    events: [approvalDecided(decided)],
    follow,
  })
}
