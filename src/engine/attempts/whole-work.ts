import { type Attempt, isAcceptedWork } from '../../domain/attempt/attempt.ts'
import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { Job } from '../../domain/job/job.ts'
import type { WorkSize } from '../../domain/landing/unusual-work.ts'
import type { Task } from '../../domain/task/task.ts'
import type { UsableWork } from '../../ports/working-trees.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'store' | 'history'>

/** All work on a task, over every round of revision. */
export type WholeWork = {
  readonly files: readonly string[]
  readonly commits: readonly string[]
  /** Whether this attempt changed anything, and the whole work still changes anything. */
  readonly hasChanged: boolean
  /** Undefined if it could not be measured. */
  readonly size: WorkSize | undefined
}

/** The work of an attempt, together with the earlier rounds that it continued. */
export async function wholeWork(
  needs: Needs,
  job: Job,
  attempt: Attempt,
  collected: UsableWork,
): Promise<WholeWork> {
  const alone = { files: collected.files, commits: collected.commits, hasChanged: collected.files.length > 0 }
  const taskId = taskIdOf(attempt)
  const task = taskId === undefined ? undefined : await needs.store.read.tasks.find(taskId)
  const base = task === undefined ? undefined : await firstBaseOf(needs, task)
  const from = base ?? attempt.baseCommit ?? job.baseCommit
  const measured = await needs.history.measure(job.projectId, from, collected.tip)
  const size = measured.ok ? measured.value : undefined
  if (task === undefined || base === undefined) return { ...alone, size }
  const diff = await needs.history.diff(job.projectId, base, collected.tip, 0)
  // If the diff is too large to compute, both lists together name at least as many files.
  const files = diff.ok
    ? diff.value.files.map(({ path }) => path)
    : [...new Set([...task.filesModified, ...collected.files])]
  const earlier = await keptCommits(needs, job, task, collected)
  return {
    files,
    commits: [...new Set([...earlier, ...collected.commits])],
    hasChanged: alone.hasChanged && files.length > 0,
    size,
  }
}

/** The commit that the first round started from; undefined in the first round. */
async function firstBaseOf(needs: Needs, task: Task): Promise<string | undefined> {
  if (task.rounds === 0) return undefined
  const attempts = await needs.store.read.attempts.listOfTask(task.id)
  return attempts.find(isAcceptedWork)?.baseCommit
}

/** The commits of earlier rounds, without those that a revision rewrote. */
async function keptCommits(
  needs: Needs,
  job: Job,
  task: Task,
  { tip }: UsableWork,
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
