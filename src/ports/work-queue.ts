import type { ApprovalId, AttemptId, CycleId, JobId, ProjectId, SessionId } from '../domain/id.ts'

/** What follows from a change of state. Each kind is one handler, idempotent and safe to run twice at once. */
export type Work =
  | { readonly type: 'job-advance'; readonly jobId: JobId }
  /** Gives places to what waits for one; sent by whatever frees capacity. */
  | { readonly type: 'admission-wake' }
  | { readonly type: 'attempt-settle'; readonly attemptId: AttemptId }
  /** Not urgent: done a little later, when nobody waits for anything. */
  | { readonly type: 'attempt-clear'; readonly attemptId: AttemptId }
  | { readonly type: 'landing-advance'; readonly jobId: JobId }
  /** Looks whether the base branch has moved, and brings it in. */
  | { readonly type: 'base-follow'; readonly jobId: JobId }
  | { readonly type: 'session-stop'; readonly sessionId: SessionId }
  | { readonly type: 'session-resume'; readonly sessionId: SessionId }
  /** Starts the first program of a session, whatever it is for. */
  | { readonly type: 'session-start'; readonly sessionId: SessionId }
  /** Keeps what a session outside of any attempt left, then removes its tree. */
  | { readonly type: 'session-clear'; readonly sessionId: SessionId }
  | { readonly type: 'approval-expire'; readonly approvalId: ApprovalId }
  | { readonly type: 'cycle-update'; readonly cycleId: CycleId }
  | { readonly type: 'job-deliver'; readonly jobId: JobId }
  /** Makes the number of unused trees of a project what it should be; not urgent either. */
  | { readonly type: 'trees-warm'; readonly projectId: ProjectId }

export type WorkType = Work['type']

/** Runs statements inside somebody's open transaction. */
export interface SqlExecutor {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/**
 * Carries work from the transaction that decided it to the handler that does it.
 *
 * Contract: at least once. Work sent in a transaction is done if and only if that transaction commits. The process
 * that committed it does it at once; if that process fails or dies, the stored copy is handed out again. A handler that
 * throws is tried again, later and not for ever.
 */
export interface WorkQueue {
  start(handle: (work: Work) => Promise<void>): Promise<void>
  /** Stores the work. Call the answer once the transaction has committed; forgetting to do so only costs time. */
  sendWithin(transaction: SqlExecutor, work: readonly Work[]): Promise<() => void>
  /** Sends outside a transaction: for the reconciler, whose sends are repeats. */
  send(work: Work): Promise<void>
  stop(): Promise<void>
}
