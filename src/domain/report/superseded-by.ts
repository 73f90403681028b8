import type { Task } from '../task/task.ts'
import type { ReportInput } from './report-input.ts'

type Snapshot = Pick<ReportInput, 'job' | 'clauses' | 'tasks'>

/** The landed task that did the work of a task that did not land. */
export function supersededBy(snapshot: Snapshot, task: Task): Task | undefined {
  return mergedBy(snapshot.tasks, task) ?? replacedBy(snapshot, task)
}

/** The task created for this one's conflict, or for a conflict of that one. */
function mergedBy(tasks: readonly Task[], task: Task): Task | undefined {
  const seen = new Set<string>([task.id])
  let current: Task | undefined = task
  while (current !== undefined) {
    const from: string = current.id
    current = tasks.find(({ id, origin }) => isCreatedFor(origin, from) && !seen.has(id))
    if (current?.state.type === 'completed') return current
    if (current !== undefined) seen.add(current.id)
  }
  return undefined
}

function isCreatedFor(origin: Task['origin'], taskId: string): boolean {
  return origin.type === 'conflict' && origin.taskId === taskId
}

/**
 * The last task of a later cycle that landed for the same clauses of the goal, once the planner, which knows of the
 * failure, has confirmed every clause with evidence.
 */
function replacedBy(snapshot: Snapshot, task: Task): Task | undefined {
  const { job, tasks } = snapshot
  if (job.state.type !== 'completed' || job.state.reason !== 'goal-reached') return undefined
  const clauses = clausesServed(snapshot, task)
  if (clauses.length === 0) return undefined
  return tasks.findLast((later) => {
    const isLater = later.cycleNumber > task.cycleNumber && later.state.type === 'completed'
    const served = isLater ? clausesServed(snapshot, later) : []
    return clauses.every((clause) => served.includes(clause))
  })
}

/** Every task serves the only clause of a goal. */
export function clausesServed({ clauses }: Pick<Snapshot, 'clauses'>, task: Task): readonly number[] {
  if (clauses.length === 1) return [1]
  return task.clauses.filter((number) => number >= 1 && number <= clauses.length)
}
