import type { CandidateId, JobId, LandingId } from '../id.ts'
import type { CandidateState } from './candidate-state.ts'
import type { CheckResult } from './check-result.ts'

/** What a candidate is for. It decides what follows when the candidate lands, is refused or is dropped. */
export type CandidatePurpose =
  /** Brings finished work into the job's branch. */
  | { readonly type: 'landings'; readonly landingIds: readonly LandingId[] }
  /** Brings this commit of the base branch into the job's branch. */
  | { readonly type: 'base'; readonly commit: string }
  /** Brings the job's branch into its base branch, because a person asked for it. `tries` starts at 1. */
  | { readonly type: 'merge'; readonly tries: number }

/**
 * A commit that may become the head of a branch, merged onto the head or onto the candidate before it. Checks run
 * on its tree, and nothing but candidates ever lands.
 */
export type Candidate = {
  readonly id: CandidateId
  readonly jobId: JobId
  /** The branch it would become the head of: the job's own, or the base branch for a person's merge. */
  readonly branch: string
  readonly purpose: CandidatePurpose
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

/** The landings in a candidate; none unless that is what the candidate is for. */
export function landingIdsOf({ purpose }: Pick<Candidate, 'purpose'>): readonly LandingId[] {
  return purpose.type === 'landings' ? purpose.landingIds : []
}
