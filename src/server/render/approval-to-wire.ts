import type { WireApproval } from '../../contract/approval.ts'
import type { ApprovalState } from '../../domain/approval/approval.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { ApprovalView } from '../../engine/queries/approvals.ts'
import type { LandingEvidence } from '../../engine/queries/landing-evidence.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function approvalToWire({ approval, session, evidence }: ApprovalView): WireApproval {
  const { state, action, asker, createdAt, expiresAt, decidedAt, ...rest } = approval
  const { type: _, ...asking } = asker
  return {
    ...rest,
    ...asking,
    ...withoutUndefined({ agent: session?.agentName, role: session?.role }),
    action: { ...action },
    ...(evidence === undefined ? {} : { evidence: evidenceToWire(evidence) }),
    status: state.type,
    ...stateFields(state),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...instantsToWire({ decidedAt }),
  }
}

function evidenceToWire({ checks, reviews }: LandingEvidence): NonNullable<WireApproval['evidence']> {
  return {
    checks: checks.map((check) => ({ ...check })),
    reviews: reviews.map(({ task, agentName, verdict }) => ({
      taskId: task.id,
      task: `${task.cycleNumber}.${task.number}`,
      agent: agentName,
      verdict: verdict.type,
      summary: verdict.summary,
    })),
  }
}

function stateFields(state: ApprovalState): Partial<WireApproval> {
  if (state.type === 'allowed') return { by: state.by }
  if (state.type === 'denied') return { by: state.by, reason: state.reason }
  return state.type === 'void' ? { reason: state.reason } : {}
}
