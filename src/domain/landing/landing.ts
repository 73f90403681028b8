import type { AttemptId, JobId, LandingId, TaskId } from '../id.ts'
import type { LandingState } from './landing-state.ts'

export type CheckResult = {
  readonly command: string
  readonly passed: boolean
  readonly detail: string
  /** The tree the check ran on; the auditor compares it with the tree that landed. */
  readonly tree: string
}

/** One entry of the merge queue. */
export type Landing = {
  readonly id: LandingId
  readonly jobId: JobId
  readonly taskId: TaskId
  readonly attemptId: AttemptId
  readonly branch: string
  readonly tip: string
  readonly state: LandingState
  readonly checks: readonly CheckResult[]
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}
