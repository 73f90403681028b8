import type { AttemptId, JobId, LandingId, TaskId } from '../id.ts'
import type { CheckResult } from './check-result.ts'
import type { LandingState } from './landing-state.ts'

/** One entry of the merge queue: work that claims to be done and wants to come in. */
export type Landing = {
  readonly id: LandingId
  readonly jobId: JobId
  readonly taskId: TaskId
  readonly attemptId: AttemptId
  readonly branch: string
  readonly tip: string
  readonly state: LandingState
  /** The checks of the candidate that decided about it. */
  readonly checks: readonly CheckResult[]
  /** With how many others at most it may be checked; halved each time it was in a batch that failed. */
  readonly batchLimit: number
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}
