import type { AttemptId, JobId, SessionId, TaskId } from '../id.ts'

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
] as const

export type JobEventType = (typeof JOB_EVENT_TYPES)[number]

/** An event before it has its place in the stream. */
export type NewEvent = {
  readonly type: JobEventType
  readonly jobId: JobId
  readonly cycle?: number
  readonly taskId?: TaskId
  readonly attemptId?: AttemptId
  readonly sessionId?: SessionId
  readonly data: Readonly<Record<string, unknown>>
}

/** An event in its stream: `seq` is gapless within the job and is the SSE id. */
export type StoredEvent = NewEvent & {
  readonly seq: number
  readonly at: Date
}
