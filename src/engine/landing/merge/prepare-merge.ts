import type { Job } from '../../../domain/job/job.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { BatchMerge } from '../../../ports/commits.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { importBranch } from './import-branch.ts'
import type { MergeFailure } from './merge.ts'

/** What it takes to bring the working branch into the base branch, as both are now. */
export type PreparedMerge =
  | { readonly type: 'contained'; readonly base: string }
  | { readonly type: 'fast-forward'; readonly base: string; readonly tip: string }
  /** A commit that nobody has checked yet. */
  | { readonly type: 'commit'; readonly onto: string; readonly merged: BatchMerge }

export async function prepareMerge(
  needs: Pick<LandingNeeds, 'branches' | 'history' | 'commits'>,
  job: Job,
): Promise<Result<PreparedMerge, MergeFailure>> {
  const { projectId, baseBranch, workingBranch } = job
  const base = await importBranch(needs, job, baseBranch)
  if (!base.ok) return base
  const onto = base.value
  const tip = await needs.branches.tip(projectId, workingBranch)
  if (tip === undefined) return failure({ type: 'nothing-landed', jobId: job.id })
  if (await needs.history.isAncestor(projectId, tip, onto)) return success({ type: 'contained', base: onto })
  if (await needs.history.isAncestor(projectId, onto, tip))
    return success({ type: 'fast-forward', base: onto, tip })
  const merged = await needs.commits.mergeBatch(projectId, {
    onto,
    tips: [tip],
    messageOf: () => `Merge ${workingBranch} into ${baseBranch}\n\nMuster-Job: ${job.id}\n`,
  })
  if (!merged.ok) return merged
  const [conflict] = merged.value.conflicts
  if (conflict !== undefined) {
    return failure({ type: 'merge-conflict', baseBranch, workingBranch, paths: conflict.paths })
  }
  const isContained = merged.value.contained.includes(tip)
  return success(
    isContained ? { type: 'contained', base: onto } : { type: 'commit', onto, merged: merged.value },
  )
}
