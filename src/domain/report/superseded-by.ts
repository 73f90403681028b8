import type { Task } from '../task/task.ts'

/**
 * The landed task that merged the work of a task that did not land: the one created for its conflict, or for a conflict
 * of that one. It is recorded, so deleting work may rest on it.
 */
export function supersededBy(tasks: readonly Task[], task: Task): Task | undefined {
  if (task.state.type === 'completed') return undefined
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
