import type { Job } from '../../../domain/job/job.ts'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import type { GitFailure } from '../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../domain/result.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import { moveWorkingBranch, withoutTaskList } from './leave-task-list.ts'
import { workTip } from './work-tip.ts'

type Needs = Pick<LandingNeeds, 'store' | 'branches' | 'history' | 'commits'>

/**
 * Takes the task list off the working branch before a merge, because it is Muster's own file and not work. Returns
 * the commit to merge, which is on the working branch: the work before the list, or else one more commit that gives the
 * file back its state in the base branch. If Muster doesn't write the list, a file of that name is someone's work and
 * stays. Safe to repeat.
 */
export async function leaveTaskList(
  needs: Needs,
  job: Job,
  base: string,
  head: string,
): Promise<Result<string, GitFailure>> {
  let tip = head
  for (let race = 0; race < RETRY_LIMITS.taskListCommits; race += 1) {
    const commit = await withoutOwnCommits(needs, job, base, tip)
    if (!commit.ok || commit.value === tip) return commit
    if (await needs.history.isAncestor(job.projectId, commit.value, tip)) return commit
    const moved = await moveWorkingBranch(needs, job, commit.value, tip)
    if (!moved.ok) return moved
    if (moved.value) return commit
    // The job has landed more work meanwhile.
    tip = (await needs.branches.tip(job.projectId, job.workingBranch)) ?? tip
  }
  return success(tip)
}

/** The work without the task lists after it, or else with one more commit that takes the list off. */
export async function withoutOwnCommits(
  needs: Needs,
  job: Job,
  base: string,
  head: string,
): Promise<Result<string, GitFailure>> {
  const tip = await workTip(needs, job, base, head)
  return tip === head ? await withoutTaskList(needs, job, base, head) : success(tip)
}
