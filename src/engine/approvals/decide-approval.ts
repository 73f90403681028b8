import type { Approval, ApprovalState } from '../../domain/approval/approval.ts'
import { type ApprovalEvent, nextApprovalState } from '../../domain/approval/next-approval-state.ts'
import type { ApprovalId } from '../../domain/id.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { PermissionDecision } from '../../ports/dialogue.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeDecision } from './store-decision.ts'
import { tellAsker } from './tell-asker.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'crash' | 'adoptSession'>

export type DecisionFailure =
  | { readonly type: 'approval-not-found'; readonly approvalId: ApprovalId }
  | { readonly type: 'approval-decided'; readonly approvalId: ApprovalId; readonly state: string }
  /** The caller saw another action than the one that waits. */
  | { readonly type: 'digest-mismatch'; readonly approvalId: ApprovalId; readonly digest: string }

/** Decides one exact action, once. The answer is said to the program that waits for it. */
export async function decideApproval(
  needs: Needs,
  approvalId: ApprovalId,
  verdict: Extract<ApprovalEvent, { type: 'approval-allow' | 'approval-deny' }>,
  digest?: string,
): Promise<Result<Approval, DecisionFailure>> {
  const decided = await needs.store.transact(async (records): Promise<Result<Approval, DecisionFailure>> => {
    const approval = await records.approvals.find(approvalId)
    if (approval === undefined) return failure({ type: 'approval-not-found', approvalId })
    if (digest !== undefined && digest !== approval.digest) {
      return failure({ type: 'digest-mismatch', approvalId, digest: approval.digest })
    }
    const state = stateAfter(needs, approval, verdict)
    if (!state.ok) return state
    const decision: PermissionDecision =
      verdict.type === 'approval-allow' ? { type: 'allow' } : { type: 'deny', reason: verdict.reason }
    const follow = await tellAsker(records, approval, decision, 'person')
    needs.crash.reach('talk.before-decision')
    return success(
      await storeDecision(needs, records, { approval, state: state.value, actor: 'person', follow }),
    )
  })
  if (decided.ok) wakeSession(needs, decided.value)
  return decided
}

/** Late is as good as decided: the default is no. */
function stateAfter(
  needs: Needs,
  approval: Approval,
  verdict: ApprovalEvent,
): Result<ApprovalState, DecisionFailure> {
  const isLate = approval.state.type === 'pending' && approval.expiresAt <= needs.clock.now()
  const state = isLate ? undefined : nextApprovalState(approval.state, verdict)
  if (state?.ok === true) return state
  const settled = isLate ? 'expired' : approval.state.type
  return failure({ type: 'approval-decided', approvalId: approval.id, state: settled })
}

/** Nobody decided in time: the default is no. */
export async function expireApproval(
  needs: Needs & Pick<EngineNeeds, 'wakeAt'>,
  approvalId: ApprovalId,
): Promise<void> {
  const approval = await needs.store.read.approvals.find(approvalId)
  if (approval?.state.type !== 'pending') return
  if (approval.expiresAt > needs.clock.now()) {
    return needs.wakeAt(approval.expiresAt, { type: 'approval-expire', approvalId })
  }
  await needs.store.transact(async (records) => {
    const current = await records.approvals.find(approvalId)
    if (current === undefined) return
    const state = nextApprovalState(current.state, { type: 'approval-expire' })
    if (!state.ok) return
    const decision = { type: 'deny', reason: 'nobody allowed it in time' } as const
    const follow = await tellAsker(records, current, decision, 'engine')
    await storeDecision(needs, records, { approval: current, state: state.value, actor: 'engine', follow })
  })
  wakeSession(needs, approval)
}

function wakeSession(needs: Needs, { asker }: Approval): void {
  if (asker.type === 'session') needs.adoptSession(asker.sessionId)
}
