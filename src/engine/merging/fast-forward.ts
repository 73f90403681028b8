import type { Job } from '../../domain/job/job.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { LandingNeeds } from '../landing/landing-needs.ts'
import type { MergeFailure, MergeState } from './merge.ts'

/**
 * Moves the base branch forward to the working branch. One that is checked out is left alone: the working branch is
 * brought, and its owner goes forward to it.
 */
export async function fastForward(
  needs: Pick<LandingNeeds, 'branches' | 'store'>,
  job: Job,
  { base, tip }: { readonly base: string; readonly tip: string },
): Promise<Result<MergeState, MergeFailure>> {
  const { projectId, repositoryPath, baseBranch, workingBranch } = job
  const moved = await needs.branches.deliver(projectId, repositoryPath, baseBranch, tip, base)
  if (moved.ok) {
    await noteMerge(needs, job, tip)
    return success({ type: 'merged', commit: tip, hasMoved: true })
  }
  if (moved.failure.type !== 'branch-checked-out') return moved
  const { at } = moved.failure
  const brought = await needs.branches.deliver(projectId, repositoryPath, workingBranch)
  if (!brought.ok) return failure(brought.failure)
  return success({ type: 'waiting', commit: tip, at })
}

/** That a person's branch was moved is on the record, with nothing of what is in it. */
async function noteMerge(needs: Pick<LandingNeeds, 'store'>, job: Job, commit: string): Promise<void> {
  await needs.store.withJob(job.id, (records, locked) =>
    records.jobs.save(locked, {
      audit: { actor: 'person', action: 'job-merge', subject: job.id, detail: { commit } },
    }),
  )
}
