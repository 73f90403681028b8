import type {
  ApprovalId,
  ApprovalRuleId,
  AttemptId,
  CandidateId,
  JobId,
  RunId,
  SessionId,
  VisitId,
} from '../id.ts'
import type { ApprovalAction } from './approval-action.ts'

export type ApprovalState =
  | { readonly type: 'pending' }
  | {
      readonly type: 'allowed'
      readonly by: string
      /** The rule that allowed it, if no one was asked. */
      readonly ruleId?: ApprovalRuleId
    }
  /** `aborts`: not only this, but the whole run that asks, is to end. */
  | { readonly type: 'denied'; readonly by: string; readonly reason?: string; readonly aborts?: true }
  | { readonly type: 'expired' }
  /** The question went away before anyone answered it. */
  | { readonly type: 'void'; readonly reason: string }

/** Who is waiting for the answer. */
export type ApprovalAsker =
  | {
      readonly type: 'session'
      readonly sessionId: SessionId
      /** The process that asks; a later one asks again. */
      readonly processNumber: number
      /** The program's own id for the question. */
      readonly requestId: string
    }
  /** The merge queue, before it moves the branch. */
  | { readonly type: 'candidate'; readonly candidateId: CandidateId }
  /** A gate of a playbook. */
  | { readonly type: 'visit'; readonly runId: RunId; readonly visitId: VisitId }
  /** A visit in trouble that only a person can help with; `number` tells its questions apart. */
  | { readonly type: 'trouble'; readonly runId: RunId; readonly visitId: VisitId; readonly number: number }
  /** A run that ended with work that is only partial, or that nobody judged. */
  | { readonly type: 'run'; readonly runId: RunId }

/** One decision on one exact action of one asker, identified by its digest; used once. */
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
