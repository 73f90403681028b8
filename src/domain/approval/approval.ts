import type { ApprovalId, AttemptId, CandidateId, JobId, SessionId } from '../id.ts'

/** Exactly what an agent's program, or the merge queue, wants to do. */
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

/** Who waits for the answer. */
export type ApprovalAsker =
  | {
      readonly type: 'session'
      readonly sessionId: SessionId
      /** The life of the session that asks: a later one asks anew. */
      readonly life: number
      /** The program's own name for the question. */
      readonly requestId: string
    }
  /** The merge queue, before it moves the branch. */
  | { readonly type: 'candidate'; readonly candidateId: CandidateId }

/** One decision on one exact action of one asker, named by its digest; used once. */
export type Approval = {
  readonly id: ApprovalId
  readonly jobId?: JobId
  readonly attemptId?: AttemptId
  readonly asker: ApprovalAsker
  readonly digest: string
  readonly action: ApprovalAction
  readonly state: ApprovalState
  readonly version: number
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly decidedAt?: Date
}
