import type { Attempt } from '../../domain/attempt/attempt.ts'
import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Collected } from '../../ports/working-trees.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { isAcceptedWork } from './is-accepted-work.ts'

type Needs = Pick<EngineNeeds, 'store' | 'history'>

/** All that was done for a task, over every round of revision. */
export type WholeWork = {
  readonly files: readonly string[]
  readonly commits: readonly string[]
  /** Whether this attempt changed anything, and something is left of it all. */
  readonly hasChanged: boolean
}

/** What a task's attempt left, together with the rounds it went on from. */
export async function wholeWork(
  needs: Needs,
  job: Job,
  attempt: Attempt,
  collected: Collected,
): Promise<WholeWork> {
  const alone = { ...collected, hasChanged: collected.files.length > 0 }
  const taskId = taskIdOf(attempt)
  const task = taskId === undefined ? undefined : await needs.store.read.tasks.find(taskId)
  const base = task === undefined ? undefined : await firstBaseOf(needs, task)
  if (task === undefined || base === undefined) return alone
  const diff = await needs.history.diff(job.projectId, base, collected.tip, 0)
  // Too much to compare is no reason to hold the work up: both lists together name at least as much.
  const files = diff.ok
    ? diff.value.files.map(({ path }) => path)
    : [...new Set([...task.filesModified, ...collected.files])]
  const earlier = await keptCommits(needs, job, task, collected)
  return {
    files,
    commits: [...new Set([...earlier, ...collected.commits])],
    hasChanged: alone.hasChanged && files.length > 0,
  }
}

/** Where the first of the rounds began; undefined in the first round. */
async function firstBaseOf(needs: Needs, task: Task): Promise<string | undefined> {
  if (task.rounds === 0) return undefined
  const attempts = await needs.store.read.attempts.listOfTask(task.id)
  return attempts.find(isAcceptedWork)?.baseCommit
}

/** Commits of earlier rounds, without those that a revision has rewritten. */
async function keptCommits(
  needs: Needs,
  job: Job,
  task: Task,
  { tip }: Collected,
): Promise<readonly string[]> {
  const last = task.commitsMade.at(-1)
  if (last === undefined || (await needs.history.isAncestor(job.projectId, last, tip)))
    return task.commitsMade
  const kept: string[] = []
  for (const commit of task.commitsMade) {
    if (!(await needs.history.isAncestor(job.projectId, commit, tip))) break
    kept.push(commit)
  }
  return kept
}
