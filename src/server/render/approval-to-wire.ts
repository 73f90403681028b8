import type { WireApproval } from '../../contract/approval.ts'
import type { Approval, ApprovalState } from '../../domain/approval/approval.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/store/store.ts'
import { instantsToWire } from './instants-to-wire.ts'
import { landingEvidence } from './landing-evidence.ts'

type Needs = { readonly store: Pick<Store, 'read'> }

export function approvalsToWire(needs: Needs, approvals: readonly Approval[]): Promise<WireApproval[]> {
  return Promise.all(approvals.map((approval) => approvalWithAgent(needs, approval)))
}

/** An approval with the agent that asks, or with what the commit that is to land rests on. */
export async function approvalWithAgent(needs: Needs, approval: Approval): Promise<WireApproval> {
  const { asker } = approval
  const session = asker.type === 'session' ? await needs.store.read.sessions.find(asker.sessionId) : undefined
  const evidence = asker.type === 'candidate' ? await landingEvidence(needs, asker.candidateId) : undefined
  return { ...approvalToWire(approval, session), ...(evidence === undefined ? {} : { evidence }) }
}

function approvalToWire(approval: Approval, session: Session | undefined): WireApproval {
  const { state, action, asker, createdAt, expiresAt, decidedAt, ...rest } = approval
  const { type: _, ...asking } = asker
  return {
    ...rest,
    ...asking,
    ...(session === undefined ? {} : { agent: session.agentName, role: session.role }),
    action: { ...action },
    status: state.type,
    ...stateFields(state),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...instantsToWire({ decidedAt }),
  }
}

function stateFields(state: ApprovalState): Partial<WireApproval> {
  if (state.type === 'allowed') return { by: state.by }
  if (state.type === 'denied') return { by: state.by, reason: state.reason }
  return state.type === 'void' ? { reason: state.reason } : {}
}
