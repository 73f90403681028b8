import type { Job } from '../../../domain/job/job.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { BatchMerge } from '../../../ports/commits.ts'
import { toleratedTrailers } from '../check/tolerated-checks.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { findForeignSnapshot } from './foreign-snapshot.ts'
import { importBranch } from './import-branch.ts'
import { moveWorkingBranch, withoutTaskList } from './leave-task-list.ts'
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

type Needs = Pick<LandingNeeds, 'store' | 'branches' | 'history' | 'commits'>

/** Moves the working branch only if there is something to merge. If the job lands more work meanwhile, starts again. */
export async function prepareMerge(
  needs: Needs,
  job: Job,
  options: MergeOptions,
  tries = 1,
): Promise<Result<PreparedMerge, MergeFailure>> {
  const { projectId, baseBranch, workingBranch } = job
  const base = await importBranch(needs, job, baseBranch)
  if (!base.ok) return base
  const onto = base.value
  const head = await needs.branches.tip(projectId, workingBranch)
  if (head === undefined)
    return failure({ type: 'nothing-landed', jobId: job.id, hasEnded: isJobFinished(job.state) })
  if (await needs.history.isAncestor(projectId, head, onto)) return success({ type: 'contained', base: onto })
  const foreign = options.withUncommitted === true ? undefined : await findForeignSnapshot(needs, job, onto)
  if (foreign !== undefined) return failure(foreign)
  const left = options.withTaskList === true ? success(head) : await withoutTaskList(needs, job, onto, head)
  if (!left.ok) return left
  const tip = left.value
  const prepared = await mergeTip(needs, job, onto, tip)
  if (!prepared.ok || prepared.value.type === 'contained') return prepared
  const moved = await moveWorkingBranch(needs, job, tip, head)
  if (!moved.ok) return moved
  if (moved.value || tries >= RETRY_LIMITS.taskListCommits) return prepared
  return prepareMerge(needs, job, options, tries + 1)
}

async function mergeTip(
  needs: Needs,
  job: Job,
  onto: string,
  tip: string,
): Promise<Result<PreparedMerge, MergeFailure>> {
  const { projectId, baseBranch, workingBranch } = job
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
