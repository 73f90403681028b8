import type {
  ApprovalId,
  AttemptId,
  BaselineId,
  CycleId,
  JobId,
  MessageId,
  ProjectId,
  RunId,
  SessionId,
  VisitId,
} from '../domain/id.ts'

/** What follows from a change of state. Each kind has one handler, idempotent and safe to run concurrently. */
export type Work =
  | { readonly type: 'job-advance'; readonly jobId: JobId }
  /** Gives free places to whatever waits for one; sent by whatever frees capacity. */
  | { readonly type: 'admission-wake' }
  | { readonly type: 'attempt-settle'; readonly attemptId: AttemptId }
  /** Not urgent: done a little later, when nothing else is waiting. */
  | { readonly type: 'attempt-clear'; readonly attemptId: AttemptId }
  | { readonly type: 'landing-advance'; readonly jobId: JobId }
  /** Judges the check of a base that ended, and starts the next. */
  | { readonly type: 'baseline-advance'; readonly baselineId: BaselineId }
  /** Continues a run: a person has decided, or the time of a retry has come. */
  | { readonly type: 'run-advance'; readonly runId: RunId }
  /** Judges a check of a visit that ended, and starts the next. */
  | { readonly type: 'visit-advance'; readonly visitId: VisitId }
  /** Checks whether the base branch has moved, and merges it. */
  | { readonly type: 'base-follow'; readonly jobId: JobId }
  /** `isForced`: does not wait behind a stop that gives the program time. */
  | { readonly type: 'session-stop'; readonly sessionId: SessionId; readonly isForced?: true }
  /** Its files can't be read, so no one would see its end: stops what is left of its program, and ends it as lost. */
  | {
      readonly type: 'session-give-up'
      readonly sessionId: SessionId
      readonly processNumber: number
      readonly reason: string
    }
  | { readonly type: 'session-resume'; readonly sessionId: SessionId }
  /** Starts the first program of a session, whatever its purpose. */
  | { readonly type: 'session-start'; readonly sessionId: SessionId }
  /** Keeps the work of a session outside any attempt, then removes its tree. */
  | { readonly type: 'session-clear'; readonly sessionId: SessionId }
  | { readonly type: 'approval-expire'; readonly approvalId: ApprovalId }
  /** Tells the sender of a message that nobody has replied in time. */
  | { readonly type: 'message-expire'; readonly messageId: MessageId }
  | { readonly type: 'cycle-update'; readonly cycleId: CycleId }
  | { readonly type: 'job-deliver'; readonly jobId: JobId }
  /** Removes what is left of a job whose rows were deleted. */
  | { readonly type: 'deletion-finish'; readonly jobId: JobId }
  /** Adjusts the number of unused trees of a project; not urgent either. */
  | { readonly type: 'trees-warm'; readonly projectId: ProjectId }

export type WorkType = Work['type']

/** Runs statements inside an open transaction of someone else. */
export interface SqlExecutor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/**
 * Carries work from the transaction that decided it to the handler that does it.
 *
 * Contract: at least once. Work sent in a transaction is done if and only if that transaction commits. The process that
 * committed it does it at once; if that process fails or crashes, the stored copy is handed out again. A handler that
 * throws is retried later, a limited number of times.
 */
export interface WorkQueue {
  start(handle: (work: Work) => Promise<void>): Promise<void>
  /** Stores the work. Call the result once the transaction has committed; forgetting that only costs time. */
  sendWithin(transaction: SqlExecutor, work: readonly Work[]): Promise<() => void>
  /** Sends outside a transaction: for the reconciler, which sends lost work again. */
  send(work: Work): Promise<void>
  stop(): Promise<void>
}
