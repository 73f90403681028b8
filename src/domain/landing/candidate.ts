import type { CandidateId, JobId, LandingId } from '../id.ts'
import type { CandidateState } from './candidate-state.ts'
import type { CheckResult } from './check-result.ts'

/** What a candidate is for. This decides what happens when it lands, is rejected or is dropped. */
export type CandidatePurpose =
  /** Merges finished work into the job's branch. */
  | {
      readonly type: 'landings'
      readonly landingIds: readonly LandingId[]
      /** Why a person must see it before it lands, whatever the mode; absent for ordinary work. */
      readonly unusual?: readonly string[]
    }
  /** Merges this commit of the base branch into the job's branch. */
  | { readonly type: 'base'; readonly commit: string }
  /** Merges the job's branch into its base branch, because a person asked for it. `tries` starts at 1. */
  | {
      readonly type: 'merge'
      readonly tries: number
      /** The task list is merged too, because the person asked for that. */
      readonly withTaskList?: boolean
      /** Whether uncommitted changes that the job started from go there too. */
      readonly withUncommitted?: boolean
      /** One commit on the base branch, without the working branch's history. */
      readonly squash?: boolean
    }

/**
 * A commit that may become the head of a branch, merged onto the head or onto the candidate before it. Checks run on
 * its tree. Only candidates ever land.
 */
export type Candidate = {
  readonly id: CandidateId
  readonly jobId: JobId
  /** The branch whose head it would become: the job's own, or the base branch for a person's merge. */
  readonly branch: string
  readonly purpose: CandidatePurpose
  /** What it was merged onto: the head, or the commit of the candidate before it. */
  readonly onto: string
  readonly commit: string
  readonly tree: string
  readonly state: CandidateState
  readonly checks: readonly CheckResult[]
  readonly version: number
  readonly createdAt: Date
  readonly endedAt?: Date
}

/** The landings in a candidate; none if it is for something else. */
export function landingIdsOf({ purpose }: Pick<Candidate, 'purpose'>): readonly LandingId[] {
  return purpose.type === 'landings' ? purpose.landingIds : []
}

/** Why a person must see a candidate before it lands; nothing for ordinary work. */
export function unusualIn({ purpose }: Pick<Candidate, 'purpose'>): readonly string[] {
  return purpose.type === 'landings' ? (purpose.unusual ?? []) : []
}

/** Open candidates of one branch, each after the one it builds on. */
export function chainOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const byOnto = new Map(candidates.map((candidate) => [candidate.onto, candidate]))
  const commits = new Set(candidates.map(({ commit }) => commit))
  const chain: Candidate[] = []
  let next = candidates.find(({ onto }) => !commits.has(onto))
  while (next !== undefined && chain.length < candidates.length) {
    chain.push(next)
    next = byOnto.get(next.commit)
  }
  return chain
}
