import type { Job } from '../../../domain/job/job.ts'
import { jobTitle } from '../../../domain/job/job-title.ts'
import type { GitFailure } from '../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../domain/result.ts'
import { taskName } from '../../../domain/task/task-name.ts'
import { toleratedTrailers } from '../check/tolerated-checks.ts'
import type { LandingNeeds } from '../landing-needs.ts'
import type { PreparedMerge } from './prepared-merge.ts'

type Needs = Pick<LandingNeeds, 'store' | 'commits'>

/** The same result as one commit on the base branch, without the history of the working branch. */
export async function squashMerge(
  needs: Needs,
  job: Job,
  prepared: PreparedMerge,
): Promise<Result<PreparedMerge, GitFailure>> {
  if (prepared.type === 'contained') return success(prepared)
  const isForward = prepared.type === 'fast-forward'
  const [onto, from] = isForward ? [prepared.base, prepared.tip] : [prepared.onto, prepared.merged.commit]
  const message = await squashMessage(needs, job)
  const commit = await needs.commits.commitTree(job.projectId, { from, parents: [onto], message })
  if (!commit.ok) return commit
  if (isForward) return success({ ...prepared, tip: commit.value })
  return success({ ...prepared, merged: { ...prepared.merged, commit: commit.value } })
}

/** What the working branch's own messages would have said: the tasks, and which attempt made each. */
async function squashMessage(needs: Needs, job: Job): Promise<string> {
  const [tasks, landings] = await Promise.all([
    needs.store.read.tasks.listOfJob(job.id),
    needs.store.read.landings.listOfJob(job.id),
  ])
  const landed = landings.filter(({ state }) => state.type === 'landed')
  const made = new Set(landed.map(({ taskId }) => taskId))
  const lines = tasks
    .filter(({ id }) => made.has(id))
    .map((task) => `- ${taskName(task)} ${task.description.split('\n', 1)[0] ?? ''}`)
  const trailers = [
    `Muster-Job: ${job.id}`,
    ...landed.flatMap(({ taskId, attemptId }) => [`Muster-Task: ${taskId}`, `Muster-Attempt: ${attemptId}`]),
    ...(await toleratedTrailers(needs, job)),
  ]
  return `${jobTitle(job.requestDocument)}\n\n${lines.join('\n')}\n\n${trailers.join('\n')}\n`
}
