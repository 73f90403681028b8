import type { WireApprovalRule } from '../../contract/approval.ts'
import { describeMatch } from '../../domain/approval/approval-rule.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { RuleView } from '../../engine/queries/approval-rules.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function ruleToWire({ rule, status, session }: RuleView): WireApprovalRule {
  const { id, approvalId, jobId, sessionId, match, createdBy, createdAt, revokedBy, revokedAt } = rule
  return {
    id,
    approvalId,
    scope: match.type === 'exact' ? 'job' : 'session',
    ...withoutUndefined({ jobId, sessionId, agent: session?.agentName, revokedBy }),
    allows: describeMatch(match),
    status,
    by: createdBy,
    createdAt: createdAt.toISOString(),
    ...instantsToWire({ revokedAt }),
  }
}
