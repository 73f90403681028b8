import type { Job } from '../../../domain/job/job.ts'
import { isJobFinished } from '../../../domain/job/job-state.ts'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import type { GitFailure } from '../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { toleratedTrailers } from '../check/tolerated-checks.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { findForeignSnapshot } from './foreign-snapshot.ts'
import { importBranch } from './import-branch.ts'
import { withoutOwnCommits } from './leave-own-commits.ts'
import { moveWorkingBranch } from './leave-task-list.ts'
import type { MergeFailure } from './merge.ts'
import type { MergeOptions, PreparedMerge } from './prepared-merge.ts'
import { squashMerge } from './squash.ts'
import { workTip } from './work-tip.ts'

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
  const left = await chooseTip(needs, job, options, { onto, head })
  if (!left.ok) return left
  const tip = left.value
  const prepared = await mergeTip(needs, job, onto, tip)
  if (!prepared.ok || prepared.value.type === 'contained') return prepared
  const moved = await bringToBranch(needs, job, tip, head)
  if (!moved.ok) return moved
  if (!moved.value && tries < RETRY_LIMITS.taskListCommits)
    return prepareMerge(needs, job, options, tries + 1)
  return options.squash === true ? await squashMerge(needs, job, prepared.value) : prepared
}

async function chooseTip(
  needs: Needs,
  job: Job,
  { withUncommitted, withTaskList }: MergeOptions,
  { onto, head }: { readonly onto: string; readonly head: string },
): Promise<Result<string, MergeFailure>> {
  const foreign = withUncommitted === true ? undefined : await findForeignSnapshot(needs, job, onto)
  if (foreign !== undefined) return failure(foreign)
  return withTaskList === true ? success(head) : await withoutOwnCommits(needs, job, onto, head)
}

/** False if the job has landed more work meanwhile. */
async function bringToBranch(
  needs: Needs,
  job: Job,
  tip: string,
  head: string,
): Promise<Result<boolean, GitFailure>> {
  if (await needs.history.isAncestor(job.projectId, tip, head)) return success(true)
  return await moveWorkingBranch(needs, job, tip, head)
}

/** What a merge without the task list would do. Only reads, so a task list between landings still counts. */
export async function previewMerge(needs: Needs, job: Job): Promise<Result<PreparedMerge, MergeFailure>> {
  const base = await importBranch(needs, job, job.baseBranch)
  if (!base.ok) return base
  const head = await needs.branches.tip(job.projectId, job.workingBranch)
  if (head === undefined)
    return failure({ type: 'nothing-landed', jobId: job.id, hasEnded: isJobFinished(job.state) })
  return mergeTip(needs, job, base.value, await workTip(needs, job, base.value, head))
}

async function mergeTip(
  needs: Needs,
  job: Job,
  onto: string,
  tip: string,
): Promise<Result<PreparedMerge, MergeFailure>> {
  const { projectId, baseBranch, workingBranch } = job
  if (await needs.history.isAncestor(projectId, tip, onto)) return success({ type: 'contained', base: onto })
  if (await needs.history.isAncestor(projectId, onto, tip)) {
    // After a squash, the working branch has the same files with more history.
    const isSame =
      (await needs.history.treeOf(projectId, onto)) === (await needs.history.treeOf(projectId, tip))
    return success(isSame ? { type: 'contained', base: onto } : { type: 'fast-forward', base: onto, tip })
  }
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
