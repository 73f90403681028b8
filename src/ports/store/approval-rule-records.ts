import type { ApprovalRule } from '../../domain/approval/approval-rule.ts'
import type { ActionKind } from '../../domain/approval/describe-action.ts'
import type { ApprovalRuleId, JobId, SessionId } from '../../domain/id.ts'
import type { Change } from './change.ts'

/** What an agent asks for, as rules compare it. */
export type RuleSubject = {
  readonly jobId?: JobId
  readonly sessionId: SessionId
  readonly digest: string
  readonly tool: string
  readonly kind: ActionKind
}

export interface ApprovalRuleRecords {
  insert(rule: ApprovalRule, change: Change): Promise<ApprovalRule>
  save(rule: ApprovalRule, change: Change): Promise<ApprovalRule>
  find(id: ApprovalRuleId): Promise<ApprovalRule | undefined>
  /** A rule that allows this and is not revoked. */
  findMatch(subject: RuleSubject): Promise<ApprovalRule | undefined>
  /** Newest first. */
  list(filter: { readonly jobId?: JobId }, limit: number): Promise<readonly ApprovalRule[]>
}
