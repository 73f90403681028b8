import type { Approval } from '../../domain/approval/approval.ts'
import type { ApprovalRule, RuleMatch } from '../../domain/approval/approval-rule.ts'
import type { ApprovalRuleId } from '../../domain/id.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'

export type RuleNotFound = { readonly type: 'rule-not-found'; readonly ruleId: string }

/** Stores what a decision allows from now on. A rule of type `alike` is limited to the session that asked. */
export async function makeRule(
  needs: Pick<EngineNeeds, 'clock' | 'ids'>,
  records: Records,
  { id: approvalId, jobId, asker }: Approval,
  match: RuleMatch,
  by: string,
): Promise<ApprovalRule> {
  const isOfSession = match.type === 'alike' && asker.type === 'session'
  const rule: ApprovalRule = {
    id: needs.ids.next('approval-rule'),
    approvalId,
    ...(jobId === undefined ? {} : { jobId }),
    ...(isOfSession ? { sessionId: asker.sessionId } : {}),
    match,
    createdBy: by,
    createdAt: needs.clock.now(),
    version: 1,
  }
  const detail = { approvalId, match: match.type, tool: match.tool }
  return records.approvalRules.insert(rule, {
    audit: { actor: 'person', action: 'approval-rule-make', subject: rule.id, detail },
  })
}

/** Ends a rule. What it has allowed stays allowed; the next request waits for a person. */
export async function revokeRule(
  needs: Pick<EngineNeeds, 'store' | 'clock' | 'settings'>,
  ruleId: ApprovalRuleId,
): Promise<Result<ApprovalRule, RuleNotFound>> {
  return needs.store.transact(async (records): Promise<Result<ApprovalRule, RuleNotFound>> => {
    const rule = await records.approvalRules.find(ruleId)
    if (rule === undefined) return failure({ type: 'rule-not-found', ruleId })
    if (rule.revokedAt !== undefined) return success(rule)
    const revoked = { ...rule, revokedBy: needs.settings.userName, revokedAt: needs.clock.now() }
    return success(
      await records.approvalRules.save(revoked, {
        audit: { actor: 'person', action: 'approval-rule-revoke', subject: ruleId, detail: {} },
      }),
    )
  })
}
