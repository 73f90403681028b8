import type { Approval } from '../../domain/approval/approval.ts'
import type { ApprovalId, SessionId } from '../../domain/id.ts'
import type { Result } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import { type DecisionFailure, decideApproval } from '../approvals/decide-approval.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import {
  goOn,
  interruptSession,
  type SessionControlFailure,
  sayToSession,
  suspendSession,
  terminateSession,
} from './control-session.ts'
import { askSession, type QueryFailure, type QueryRequest } from './create/ask-session.ts'
import { type OpenSessionFailure, type OpenSessionRequest, openSession } from './create/open-session.ts'

type Controlled = Promise<Result<Session, SessionControlFailure>>

/** What a person can do with sessions; each is one use case of this folder, bound to its needs. */
export interface SessionCommands {
  open(request: OpenSessionRequest): Promise<Result<Session, OpenSessionFailure>>
  stop(sessionId: SessionId, options: { readonly reason: string; readonly isForced: boolean }): Controlled
  suspend(sessionId: SessionId, reason: string): Controlled
  resume(sessionId: SessionId, prompt?: string): Controlled
  say(sessionId: SessionId, text: string): Controlled
  interrupt(sessionId: SessionId): Controlled
  ask(request: QueryRequest): Promise<Result<Session, QueryFailure>>
  decide(
    approvalId: ApprovalId,
    verdict: { readonly type: 'allow' } | { readonly type: 'deny'; readonly reason: string },
    digest?: string,
  ): Promise<Result<Approval, DecisionFailure>>
}

export function createSessionCommands(needs: EngineNeeds): SessionCommands {
  return {
    open: (request) => openSession(needs, request),
    stop: (sessionId, options) => terminateSession(needs, sessionId, options),
    suspend: (sessionId, reason) => suspendSession(needs, sessionId, reason),
    resume: (sessionId, prompt) => goOn(needs, sessionId, prompt),
    say: (sessionId, text) => sayToSession(needs, sessionId, text),
    interrupt: (sessionId) => interruptSession(needs, sessionId),
    ask: (request) => askSession(needs, request),
    decide: (approvalId, verdict, digest) =>
      decideApproval(
        needs,
        approvalId,
        verdict.type === 'allow'
          ? { type: 'approval-allow', by: 'person' }
          : { type: 'approval-deny', by: 'person', reason: verdict.reason },
        digest,
      ),
  }
}
