import type { CandidateId, JobId, LandingId } from '../id.ts'
import type { CandidateState } from './candidate-state.ts'
import type { CheckResult } from './check-result.ts'

/**
 * A commit that may become the head of a branch: one landing or several, merged onto the head or onto the
 * candidate before it. Checks run on its tree, and nothing else ever lands.
 */
export type Candidate = {
  readonly id: CandidateId
  readonly jobId: JobId
  readonly branch: string
  readonly landingIds: readonly LandingId[]
  /** The commit of the base branch that it brings in, when that is what it is for. */
  readonly base?: string
  /** What it was merged onto: the head, or the commit of the candidate before it, which is not the head yet. */
  readonly onto: string
  readonly commit: string
  readonly tree: string
  readonly state: CandidateState
  readonly checks: readonly CheckResult[]
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}
