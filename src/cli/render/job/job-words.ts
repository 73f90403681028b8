import type { WireJobSummary } from '../../../contract/job.ts'
import type { Tone } from '../text/paint.ts'

export const JOB_TONES = {
  pending: 'dim',
  running: 'accent',
  paused: 'warn',
  completed: 'good',
  cancelled: 'warn',
  error: 'bad',
} as const satisfies Record<WireJobSummary['status'], Tone>

/** How long ago a job started or, if it has ended, how long it took. Unlike its active time, this includes waits. */
export function jobTimeMs({ createdAt, startedAt = createdAt, completedAt }: Timed, now: Date): number {
  const end = completedAt === undefined ? now.getTime() : Date.parse(completedAt)
  return Math.max(0, end - Date.parse(startedAt))
}

type Timed = Pick<WireJobSummary, 'createdAt' | 'startedAt' | 'completedAt'>

const STOPS: Readonly<Record<string, string>> = {
  'max-cycles-reached': 'max cycles',
  'time-limit-reached': 'time limit',
  'budget-reached': 'budget',
  'no-progress': 'no progress',
  'goal-doubted': 'nothing landed',
  'task-blocked': 'task blocked',
  'task-failed': 'task failed',
}

type Standing = Pick<WireJobSummary, 'status' | 'pausing' | 'reason'>

/** The status of a job, or the limit that stopped it. */
export function jobStanding(job: Standing): string {
  const stop = stopOf(job)
  return stop === undefined ? statusWord(job) : `stopped: ${stop}`
}

export function jobTone(job: Standing): Tone {
  return stopOf(job) === undefined ? JOB_TONES[job.status] : 'warn'
}

function stopOf({ status, reason }: Standing): string | undefined {
  return status === 'completed' ? STOPS[reason ?? ''] : undefined
}

export function statusWord(job: Pick<WireJobSummary, 'status' | 'pausing'>): string {
  return job.pausing ? 'pausing' : job.status
}

export function isFinished(job: Pick<WireJobSummary, 'status'>): boolean {
  return job.status === 'completed' || job.status === 'cancelled' || job.status === 'error'
}
