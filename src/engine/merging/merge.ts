import type { Job } from '../../domain/job/job.ts'
import type { Candidate } from '../../domain/landing/candidate.ts'
import type { DeliveryFailure, ImportFailure } from '../../ports/branches.ts'

/** Where bringing a job's work into its base branch has got to. */
export type MergeState =
  /** Nobody asked for it, or what was asked for is of the past. */
  | { readonly type: 'none' }
  /** All of the work is in the base branch. `hasMoved`: by what was asked just now. */
  | {
      readonly type: 'merged'
      readonly commit: string
      readonly hasMoved: boolean
      /** The merge that the branch is at, when it had to be made. */
      readonly candidate?: Candidate
    }
  /** The base branch is checked out: its owner goes forward to the working branch with one command. */
  | { readonly type: 'waiting'; readonly commit: string; readonly at: string }
  /** Merged onto a base that had moved; the checks run on exactly that commit. */
  | { readonly type: 'checking'; readonly candidate: Candidate }
  | { readonly type: 'refused'; readonly candidate: Candidate; readonly reason: string }

export type Merge = { readonly job: Job; readonly state: MergeState; readonly warnings: readonly string[] }

export type MergeFailure =
  | { readonly type: 'job-not-found'; readonly jobId: string }
  | { readonly type: 'nothing-landed'; readonly jobId: string }
  | {
      readonly type: 'merge-conflict'
      readonly baseBranch: string
      readonly workingBranch: string
      readonly paths: readonly string[]
    }
  | ImportFailure
  | DeliveryFailure

/** Whether a candidate is a person's merge and no part of the merge queue. */
export function isOfMerge(candidate: Candidate, job: Job): boolean {
  return candidate.branch === job.baseBranch && candidate.branch !== job.workingBranch
}
