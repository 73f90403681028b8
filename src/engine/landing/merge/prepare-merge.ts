import type { Job } from '../../../domain/job/job.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { BatchMerge } from '../../../ports/commits.ts'
import { toleratedTrailers } from '../check/tolerated-checks.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { findForeignSnapshot } from './foreign-snapshot.ts'
import { importBranch } from './import-branch.ts'
import { leaveTaskList } from './leave-task-list.ts'
import type { MergeFailure } from './merge.ts'

/** What the person asked for with a merge. */
export type MergeOptions = {
  /** Whether the task list goes to the base branch too. */
  readonly withTaskList?: boolean
  /** Whether uncommitted changes that the job started from go to the base branch too. */
  readonly withUncommitted?: boolean
}

/** How the working branch can be merged into the base branch, as both are now. */
export type PreparedMerge =
  | { readonly type: 'contained'; readonly base: string }
  | { readonly type: 'fast-forward'; readonly base: string; readonly tip: string }
  /** A merge commit that has not been checked yet. */
  | { readonly type: 'commit'; readonly onto: string; readonly merged: BatchMerge }

export async function prepareMerge(
  needs: Pick<LandingNeeds, 'store' | 'branches' | 'history' | 'commits'>,
  job: Job,
  { withTaskList = false, withUncommitted = false }: MergeOptions,
): Promise<Result<PreparedMerge, MergeFailure>> {
  const { projectId, baseBranch, workingBranch } = job
  const base = await importBranch(needs, job, baseBranch)
  if (!base.ok) return base
  const onto = base.value
  const head = await needs.branches.tip(projectId, workingBranch)
  if (head === undefined) return failure({ type: 'nothing-landed', jobId: job.id })
  if (await needs.history.isAncestor(projectId, head, onto)) return success({ type: 'contained', base: onto })
  const foreign = withUncommitted ? undefined : await findForeignSnapshot(needs, job, onto)
  if (foreign !== undefined) return failure(foreign)
  const left = withTaskList ? success(head) : await leaveTaskList(needs, job, onto, head)
  if (!left.ok) return left
  const tip = left.value
  if (await needs.history.isAncestor(projectId, onto, tip))
    return success({ type: 'fast-forward', base: onto, tip })
  const trailers = [`Muster-Job: ${job.id}`, ...(await toleratedTrailers(needs, job))]
  const merged = await needs.commits.mergeBatch(projectId, {
    onto,
    tips: [tip],
    messageOf: () => `Merge ${workingBranch} into ${baseBranch}\n\n${trailers.join('\n')}\n`,
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
