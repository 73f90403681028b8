import type { ApprovalId, AttemptId, JobId, SessionId } from '../id.ts'

/** Exactly what an agent's program wants to do. */
export type ApprovalAction = {
  readonly tool: string
  readonly input: unknown
  readonly reason?: string
  readonly directory: string
}

export type ApprovalState =
  | { readonly type: 'pending' }
  | { readonly type: 'allowed'; readonly by: string }
  | { readonly type: 'denied'; readonly by: string; readonly reason: string }
  | { readonly type: 'expired' }
  /** The question went away before anybody answered it. */
  | { readonly type: 'void'; readonly reason: string }

/** One decision on one exact action of one session, named by its digest; used once. */
export type Approval = {
  readonly id: ApprovalId
  readonly jobId?: JobId
  readonly attemptId?: AttemptId
  readonly sessionId: SessionId
  /** The life of the session that asks: a later one asks anew. */
  readonly life: number
  /** The program's own name for the question. */
  readonly requestId: string
  readonly digest: string
  readonly action: ApprovalAction
  readonly state: ApprovalState
  readonly version: number
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly decidedAt?: Date
}
