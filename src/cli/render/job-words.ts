import type { WireJobSummary } from '../../contract/job.ts'
import { elapsed } from './elapsed.ts'
import type { Tone } from './paint.ts'

export const JOB_TONES = {
  pending: 'dim',
  running: 'accent',
  paused: 'warn',
  completed: 'good',
  cancelled: 'warn',
  error: 'bad',
} as const satisfies Record<WireJobSummary['status'], Tone>

/** Time a job has spent running, pauses left out. */
export function activeTime(job: Pick<WireJobSummary, 'activeMs'>): string {
  return elapsed(job.activeMs)
}

export function statusWord(job: Pick<WireJobSummary, 'status' | 'pausing'>): string {
  return job.pausing ? 'pausing' : job.status
}
