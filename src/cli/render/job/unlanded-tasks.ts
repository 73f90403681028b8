import type { WireJob } from '../../../contract/job.ts'
import type { WireTask } from '../../../contract/task.ts'
import { goalClauses } from '../../../domain/goal/goal-clauses.ts'
import { clausesServed } from '../../../domain/report/covered-by.ts'

type Standing = Pick<WireTask, 'id' | 'status' | 'origin' | 'commit' | 'cycleNumber' | 'clauses'>
type Ended = Pick<WireJob, 'status' | 'reason' | 'requestDocument'>

export function hasLanded({ commit }: Pick<WireTask, 'commit'>): boolean {
  return commit !== undefined
}

export function hasFailed({ status }: Pick<WireTask, 'status'>): boolean {
  return status === 'failed' || status === 'blocked'
}

/**
 * The tasks that failed or are blocked, and that no later task replaced: neither did one merge their work after a
 * conflict, nor did one land for the same part of a goal that is reached. Reports count them in the same way.
 */
export function unlandedTasks<Task extends Standing>(tasks: readonly Task[], job: Ended): readonly Task[] {
  return tasks.filter(
    (task) => hasFailed(task) && !isMergedLater(task, tasks) && !isDoneAnew(task, tasks, job),
  )
}

function isDoneAnew(task: Standing, tasks: readonly Standing[], job: Ended): boolean {
  if (job.status !== 'completed' || job.reason !== 'goal-reached') return false
  const { length: count } = goalClauses(job.requestDocument)
  const served = clausesServed(count, task)
  if (served.length === 0) return false
  return tasks.some(
    (later) =>
      hasLanded(later) &&
      later.cycleNumber > task.cycleNumber &&
      served.every((clause) => clausesServed(count, later).includes(clause)),
  )
}

function isMergedLater(task: Standing, tasks: readonly Standing[]): boolean {
  const next = tasks.find(({ origin }) => origin.type === 'conflict' && origin.taskId === task.id)
  return next !== undefined && (hasLanded(next) || isMergedLater(next, tasks))
}
