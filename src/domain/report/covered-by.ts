import type { Task } from '../task/task.ts'
import type { ReportInput } from './report-input.ts'
import { supersededBy } from './superseded-by.ts'

type Snapshot = Pick<ReportInput, 'job' | 'clauses' | 'tasks'>

/** Whether nothing of the goal is missing because this task did not land. Its own work may still be unlanded. */
export function isCovered(snapshot: Snapshot, task: Task): boolean {
  return (supersededBy(snapshot.tasks, task) ?? coveredBy(snapshot, task)) !== undefined
}

/**
 * The last task of a later cycle that landed for the same clauses of the goal as a task that failed, once the planner,
 * which knows of the failure, has confirmed every clause with evidence. It may have done something else, so this says
 * nothing about where the failed task's work is.
 */
export function coveredBy(snapshot: Snapshot, task: Task): Task | undefined {
  const { job, tasks } = snapshot
  if (task.state.type !== 'failed' && task.state.type !== 'blocked') return undefined
  if (job.state.type !== 'completed' || job.state.reason !== 'goal-reached') return undefined
  const { length: count } = snapshot.clauses
  const clauses = clausesServed(count, task)
  if (clauses.length === 0) return undefined
  return tasks.findLast((later) => {
    const isLater = later.cycleNumber > task.cycleNumber && later.state.type === 'completed'
    const served = isLater ? clausesServed(count, later) : []
    return clauses.every((clause) => served.includes(clause))
  })
}

/** Every task serves the only clause of a goal. */
export function clausesServed(
  count: number,
  task: { readonly clauses: readonly number[] },
): readonly number[] {
  if (count === 1) return [1]
  return task.clauses.filter((number) => number >= 1 && number <= count)
}
