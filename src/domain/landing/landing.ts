import type { AttemptId, CandidateId, JobId, LandingId, TaskId } from '../id.ts'
import type { CheckResult } from './check-result.ts'

/** One entry of the merge queue: finished work that should land on the branch. */
export type Landing = {
  readonly id: LandingId
  readonly jobId: JobId
  readonly taskId: TaskId
  readonly attemptId: AttemptId
  readonly branch: string
  readonly tip: string
  readonly state: LandingState
  /** The checks of the candidate that decided it. */
  readonly checks: readonly CheckResult[]
  /** The largest batch it may be checked in; halved each time its batch fails. */
  readonly batchLimit: number
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}

export type LandingState =
  | { readonly type: 'queued' }
  /** Part of a candidate that is being checked, or that waits for those before it or for a person. */
  | { readonly type: 'checking'; readonly candidateId: CandidateId }
  | {
      readonly type: 'landed'
      readonly commit: string
      readonly tree: string
      /** The branch already contained all of it. */
      readonly isContained?: boolean
    }
  | { readonly type: 'conflicted'; readonly paths: readonly string[] }
  | { readonly type: 'rejected'; readonly reason: string }

export function isLandingFinished(state: LandingState): boolean {
  return state.type === 'landed' || state.type === 'conflicted' || state.type === 'rejected'
}
