import { assertNever } from '../../../domain/assert-never.ts'
import type { Job } from '../../../domain/job/job.ts'
import type { Candidate } from '../../../domain/landing/candidate.ts'
import type { DeliveryFailure, ImportFailure } from '../../../domain/repository/repository-failure.ts'
import { describeFailure } from '../../describe-failure.ts'
import type { UncommittedIncluded } from './foreign-snapshot.ts'

/** The state of a job's merge into its base branch. */
export type MergeState =
  /** No one asked for a merge, or the last one is done. */
  | { readonly type: 'none' }
  /** All of the work is in the base branch. `hasMoved`: this request moved it. */
  | {
      readonly type: 'merged'
      readonly commit: string
      readonly hasMoved: boolean
      /** The merge commit, if one was needed. */
      readonly candidate?: Candidate
    }
  /** The base branch is checked out: its owner fast-forwards to the working branch with one command. */
  | { readonly type: 'waiting'; readonly commit: string; readonly at: string }
  /** Merged onto a base that had moved; the checks run on exactly that commit. */
  | { readonly type: 'checking'; readonly candidate: Candidate }
  | { readonly type: 'refused'; readonly candidate: Candidate; readonly reason: string }

export type Merge = { readonly job: Job; readonly state: MergeState; readonly warnings: readonly string[] }

export type MergeFailure =
  | { readonly type: 'job-not-found'; readonly jobId: string }
  | { readonly type: 'nothing-landed'; readonly jobId: string; readonly hasEnded: boolean }
  | { readonly type: 'base-detached'; readonly jobId: string; readonly workingBranch: string }
  | {
      readonly type: 'merge-conflict'
      readonly baseBranch: string
      readonly workingBranch: string
      readonly paths: readonly string[]
    }
  | UncommittedIncluded
  | ImportFailure
  | DeliveryFailure

export type MergeCandidate = Candidate & { readonly purpose: { readonly type: 'merge' } }

export function isMerge(candidate: Candidate): candidate is MergeCandidate {
  return candidate.purpose.type === 'merge'
}

/** What prevented a merge, as text for its row. */
export function describeMergeFailure(failed: MergeFailure): string {
  switch (failed.type) {
    case 'job-not-found':
      return 'the job is gone'
    case 'nothing-landed':
      return 'the job has landed nothing'
    case 'base-detached':
      return 'the job has no base branch'
    case 'merge-conflict':
      return `${failed.workingBranch} and ${failed.baseBranch} conflict in ${failed.paths.join(', ')}`
    case 'uncommitted-included':
      return `the job started from uncommitted changes that are not in ${failed.baseBranch}`
    case 'path-missing':
      return `there is nothing at ${failed.path}`
    case 'not-a-repository':
      return `${failed.path} is not a git repository`
    case 'no-commits':
      return `${failed.path} has no commits`
    case 'repository-unreadable':
      return `${failed.path} cannot be read: ${failed.problem}`
    case 'base-missing':
      return `the repository has no branch ${failed.branch}`
    case 'branch-checked-out':
    case 'branch-diverged':
      return `${failed.branch}: ${describeFailure(failed)}`
    case 'repository-moved':
    case 'delivery-failed':
    case 'git-missing':
    case 'git-too-old':
    case 'disk-full':
    case 'git-failed':
      return describeFailure(failed)
    default:
      return assertNever(failed)
  }
}
