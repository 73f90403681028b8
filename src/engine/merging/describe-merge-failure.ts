import { assertNever } from '../../domain/assert-never.ts'
import { describeFailure } from '../describe-failure.ts'
import type { MergeFailure } from './merge.ts'

/** What stood in the way of a merge, in words that end up on its row. */
export function describeMergeFailure(failed: MergeFailure): string {
  switch (failed.type) {
    case 'job-not-found':
      return 'the job is gone'
    case 'nothing-landed':
      return 'the job has landed nothing'
    case 'merge-conflict':
      return `${failed.workingBranch} and ${failed.baseBranch} conflict in ${failed.paths.join(', ')}`
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
