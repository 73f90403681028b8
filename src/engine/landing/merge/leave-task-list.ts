import type { Job } from '../../../domain/job/job.ts'
import { RETRY_LIMITS } from '../../../domain/limits/retry-limits.ts'
import type { GitFailure } from '../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { TASK_LIST_FILE } from '../../../domain/task/task-list-file.ts'
import type { LandingNeeds } from '../landing-needs.ts'

type Needs = Pick<LandingNeeds, 'store' | 'branches' | 'history' | 'commits'>

/**
 * Takes the task list off the working branch before a merge, because it is Muster's own file and not work: one more
 * commit gives the file back its state in the base branch. If Muster doesn't write the list, a file of that name is
 * someone's work and stays. Returns the head of the working branch. Safe to repeat.
 */
export async function leaveTaskList(
  needs: Needs,
  job: Job,
  base: string,
  head: string,
): Promise<Result<string, GitFailure>> {
  if (job.plan.taskList === 'none') return success(head)
  let tip = head
  for (let race = 0; race < RETRY_LIMITS.taskListCommits; race += 1) {
    const commit = await withoutTaskList(needs, job, base, tip)
    if (!commit.ok || commit.value === tip) return commit
    const moved = await needs.store.withJob(job.id, () =>
      needs.branches.move(job.projectId, job.workingBranch, commit.value, tip),
    )
    if (moved === undefined || moved.ok) return commit
    if (moved.failure.type !== 'branch-moved') return failure(moved.failure)
    // The job has landed more work meanwhile.
    tip = (await needs.branches.tip(job.projectId, job.workingBranch)) ?? tip
  }
  return success(tip)
}

/** Whether a merge or a push would first take the task list off the working branch. Only reads. */
export async function hasTaskList(
  needs: Pick<Needs, 'history'>,
  job: Job,
  base: string,
  tip: string,
): Promise<boolean> {
  return job.plan.taskList !== 'none' && (await findTaskList(needs, job, base, tip)) !== undefined
}

/** What the task list was in the base; undefined if the working branch hasn't changed it. */
async function findTaskList(
  { history }: Pick<Needs, 'history'>,
  { projectId }: Job,
  base: string,
  tip: string,
): Promise<{ readonly before: string | undefined } | undefined> {
  const common = await history.mergeBase(projectId, base, tip)
  if (common === undefined) return undefined
  const [before, now] = await Promise.all([
    history.readFile(projectId, common, TASK_LIST_FILE),
    history.readFile(projectId, tip, TASK_LIST_FILE),
  ])
  return before === now ? undefined : { before }
}

async function withoutTaskList(
  { history, commits }: Needs,
  job: Job,
  base: string,
  tip: string,
): Promise<Result<string, GitFailure>> {
  const { projectId, baseBranch } = job
  const list = await findTaskList({ history }, job, base, tip)
  if (list === undefined) return success(tip)
  const { before } = list
  const message = `Leave the task list out of ${baseBranch}\n\nMuster-Job: ${job.id}\n`
  const commit = await commits.commitFiles(projectId, tip, { [TASK_LIST_FILE]: before ?? null }, message)
  if (commit.ok) return commit
  // A folder of that name is someone's work.
  return commit.failure.type === 'path-taken' ? success(tip) : failure(commit.failure)
}
