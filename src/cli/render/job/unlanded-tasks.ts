import type { WireTask } from '../../../contract/task.ts'

type Standing = Pick<WireTask, 'id' | 'status' | 'origin' | 'commit'>

export function hasLanded({ commit }: Pick<WireTask, 'commit'>): boolean {
  return commit !== undefined
}

export function hasFailed({ status }: Pick<WireTask, 'status'>): boolean {
  return status === 'failed' || status === 'blocked'
}

/** The tasks that failed or are blocked, and whose work no later task merged after a conflict. */
export function unlandedTasks<Task extends Standing>(tasks: readonly Task[]): readonly Task[] {
  return tasks.filter((task) => hasFailed(task) && !isMergedLater(task, tasks))
}

function isMergedLater(task: Standing, tasks: readonly Standing[]): boolean {
  const next = tasks.find(({ origin }) => origin.type === 'conflict' && origin.taskId === task.id)
  return next !== undefined && (hasLanded(next) || isMergedLater(next, tasks))
}
