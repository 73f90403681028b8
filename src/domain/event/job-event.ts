import type { AttemptId, JobId, SessionId, StreamId, TaskId } from '../id.ts'

/** The types on a job's stream; the wire names are the contract's. */
export const JOB_EVENT_TYPES = [
  'job_started',
  'job_paused',
  'job_resumed',
  'job_completed',
  'job_cancelled',
  'job_error',
  'cycle_started',
  'cycle_phase',
  'cycle_tasks_discovered',
  'cycle_completed',
  'task_started',
  'task_progress',
  'task_completed',
  'task_failed',
  'agent_message',
  'landing_queued',
  'landing_checking',
  'landing_checked',
  'landing_landed',
  'landing_conflicted',
  'landing_rejected',
  'session_started',
  'session_ended',
  'session_suspended',
  'session_resumed',
  'approval_requested',
  'approval_decided',
  'message_sent',
  'message_delivered',
  'message_acknowledged',
  'message_failed',
  'document_edited',
  'document_taken_up',
  'budget_warned',
  'budget_reached',
] as const

export type JobEventType = (typeof JOB_EVENT_TYPES)[number]

/** An event before it has its place in the stream. */
export type NewEvent = {
  readonly type: JobEventType
  /** Absent for what belongs to a session outside of any job: its stream is the session's own. */
  readonly jobId?: JobId
  readonly cycle?: number
  readonly taskId?: TaskId
  readonly attemptId?: AttemptId
  readonly sessionId?: SessionId
  readonly data: Readonly<Record<string, unknown>>
}

/** The stream an event belongs to: its job's, or its session's where there is no job. */
export function streamOf(event: Pick<NewEvent, 'jobId' | 'sessionId'>): StreamId {
  const stream = event.jobId ?? event.sessionId
  if (stream === undefined) throw new Error('an event belongs to a job or a session')
  return stream
}

/** An event in its stream: `seq` is gapless within the stream and is the SSE id. */
export type StoredEvent = NewEvent & {
  readonly seq: number
  readonly at: Date
}
