import type { Job } from '../../../domain/job/job.ts'
import type { GitFailure } from '../../../domain/repository/repository-failure.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { TASK_LIST_FILE } from '../../../domain/task/task-list-file.ts'
import type { LandingNeeds } from '../landing-needs.ts'

type Needs = Pick<LandingNeeds, 'store' | 'branches' | 'history' | 'commits'>

/** Moves the working branch, unless the job has landed more work meanwhile: then it returns false. */
export async function moveWorkingBranch(
  { store, branches }: Pick<Needs, 'store' | 'branches'>,
  job: Job,
  to: string,
  from: string,
): Promise<Result<boolean, GitFailure>> {
  if (to === from) return success(true)
  const moved = await store.withJob(job.id, () => branches.move(job.projectId, job.workingBranch, to, from))
  if (moved === undefined || moved.ok) return success(true)
  return moved.failure.type === 'branch-moved' ? success(false) : failure(moved.failure)
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

/** The working branch's head without the task list, as a commit that is on no branch yet. */
export async function withoutTaskList(
  { history, commits }: Pick<Needs, 'history' | 'commits'>,
  job: Job,
  base: string,
  tip: string,
): Promise<Result<string, GitFailure>> {
  if (job.plan.taskList === 'none') return success(tip)
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
