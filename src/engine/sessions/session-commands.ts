import type { Approval } from '../../domain/approval/approval.ts'
import type { ApprovalRule } from '../../domain/approval/approval-rule.ts'
import type { ApprovalId, ApprovalRuleId, SessionId } from '../../domain/id.ts'
import type { Result } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import { type DecisionFailure, type DecisionOptions, decideApproval } from '../approvals/decide-approval.ts'
import { type RuleNotFound, revokeRule } from '../approvals/make-rule.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import {
  continueSession,
  interruptSession,
  type SessionControlFailure,
  sayToSession,
  suspendSession,
  terminateSession,
} from './control-session.ts'
import { askSession, type QueryFailure, type QueryRequest } from './create/ask-session.ts'
import {
  createPersonalSession,
  type PersonalSessionFailure,
  type PersonalSessionRequest,
} from './create/create-personal-session.ts'

type Controlled = Promise<Result<Session, SessionControlFailure>>

/** What a person can do with sessions. Each command is a use case of this folder, bound to its needs. */
export interface SessionCommands {
  create(request: PersonalSessionRequest): Promise<Result<Session, PersonalSessionFailure>>
  stop(
    sessionId: SessionId,
    options: { readonly reason?: string | undefined; readonly isForced: boolean },
  ): Controlled
  suspend(sessionId: SessionId, reason?: string): Controlled
  resume(sessionId: SessionId, prompt?: string): Controlled
  say(sessionId: SessionId, text: string): Controlled
  interrupt(sessionId: SessionId): Controlled
  ask(request: QueryRequest): Promise<Result<Session, QueryFailure>>
  decide(
    approvalId: ApprovalId,
    verdict:
      | { readonly type: 'allow' }
      | {
          readonly type: 'deny'
          readonly reason?: string | undefined
          readonly aborts?: boolean | undefined
        },
    options?: DecisionOptions,
  ): Promise<Result<Approval, DecisionFailure>>
  /** Ends what a person allowed in advance. */
  revokeRule(ruleId: ApprovalRuleId): Promise<Result<ApprovalRule, RuleNotFound>>
}

export function createSessionCommands(needs: EngineNeeds): SessionCommands {
  return {
    create: (request) => createPersonalSession(needs, request),
    stop: (sessionId, options) => terminateSession(needs, sessionId, options),
    suspend: (sessionId, reason) => suspendSession(needs, sessionId, reason),
    resume: (sessionId, prompt) => continueSession(needs, sessionId, prompt),
    say: (sessionId, text) => sayToSession(needs, sessionId, text),
    interrupt: (sessionId) => interruptSession(needs, sessionId),
    ask: (request) => askSession(needs, request),
    decide: (approvalId, verdict, options) =>
      decideApproval(
        needs,
        approvalId,
        verdict.type === 'allow'
          ? { type: 'approval-allow', by: needs.settings.userName }
          : withoutUndefined({
              type: 'approval-deny',
              by: needs.settings.userName,
              reason: verdict.reason,
              aborts: verdict.aborts === true ? verdict.aborts : undefined,
            } as const),
        options,
      ),
    revokeRule: (ruleId) => revokeRule(needs, ruleId),
  }
}
