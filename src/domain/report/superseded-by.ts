import type { Task } from '../task/task.ts'

/**
 * The landed task that brought in the work of one that could not be merged: the one made for that conflict, or
 * the one made for the conflict which that one had.
 */
export function supersededBy(tasks: readonly Task[], task: Task): Task | undefined {
  const seen = new Set<string>([task.id])
  let current: Task | undefined = task
  while (current !== undefined) {
    const from: string = current.id
    current = tasks.find(({ id, origin }) => isMadeFor(origin, from) && !seen.has(id))
    if (current?.state.type === 'completed') return current
    if (current !== undefined) seen.add(current.id)
  }
  return undefined
}

function isMadeFor(origin: Task['origin'], taskId: string): boolean {
  return origin.type === 'conflict' && origin.taskId === taskId
}
