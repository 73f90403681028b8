import type { WireApproval } from '../../contract/approval.ts'
import type { ApprovalState } from '../../domain/approval/approval.ts'
import type { ApprovalAction } from '../../domain/approval/approval-action.ts'
import { describeAction } from '../../domain/approval/describe-action.ts'
import { unusualParts } from '../../domain/approval/unusual-parts.ts'
import { taskName } from '../../domain/task/task-name.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import { scopeWords } from '../../engine/approvals/apply-rules.ts'
import type { ApprovalView } from '../../engine/queries/approvals.ts'
import type { LandingEvidence } from '../../engine/queries/landing-evidence.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function approvalToWire({ approval, session, task, evidence }: ApprovalView): WireApproval {
  const { state, action, asker, createdAt, expiresAt, decidedAt, ...rest } = approval
  const { type: _, ...asking } = asker
  return {
    ...rest,
    ...asking,
    ...withoutUndefined({ agent: session?.agentName, role: session?.role }),
    ...(task === undefined ? {} : { task: taskName(task) }),
    action: { ...action },
    summary: describeAction(action, task === undefined ? (session?.agentName ?? 'an agent') : taskName(task)),
    unusual: unusualIn(action),
    scopes: scopeWords(approval),
    ...(evidence === undefined ? {} : { evidence: evidenceToWire(evidence) }),
    status: state.type,
    ...stateFields(state),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...instantsToWire({ decidedAt }),
  }
}

function unusualIn(action: ApprovalAction): readonly string[] {
  if (action.type === 'gate') return []
  return action.type === 'landing' ? (action.unusual ?? []) : unusualParts(action)
}

function evidenceToWire({ checks, reviews }: LandingEvidence): NonNullable<WireApproval['evidence']> {
  return {
    checks: checks.map((check) => ({ ...check })),
    reviews: reviews.map(({ task, agentName, verdict }) => ({
      taskId: task.id,
      task: taskName(task),
      agent: agentName,
      verdict: verdict.type,
      summary: verdict.summary,
    })),
  }
}

function stateFields(state: ApprovalState): Partial<WireApproval> {
  if (state.type === 'allowed') return withoutUndefined({ by: state.by, ruleId: state.ruleId })
  if (state.type === 'denied')
    return withoutUndefined({ by: state.by, reason: state.reason, aborts: state.aborts })
  return state.type === 'void' ? { reason: state.reason } : {}
}
