import { RETRY_LIMITS } from '../limits/retry-limits.ts'
import type { Task } from '../task/task.ts'

export type OpenConflicts = {
  /** Tasks whose work waits for a task that merges it. */
  readonly mergeable: readonly Task[]
  /** Tasks whose work could not be merged after too many tries. */
  readonly stuck: readonly Task[]
}

/** The tasks whose work conflicts with what landed and that no later task has picked up. */
export function openConflicts(tasks: readonly Task[]): OpenConflicts {
  const pickedUp = new Set(tasks.flatMap(({ origin }) => (origin.type === 'conflict' ? [origin.taskId] : [])))
  const open = tasks.filter((task) => isConflicted(task) && !pickedUp.has(task.id))
  const isStuck = (task: Task): boolean => chainOf(task, tasks).length > RETRY_LIMITS.conflictTasks
  return { mergeable: open.filter((task) => !isStuck(task)), stuck: open.filter(isStuck) }
}

/** A task, the task whose work it merges, and so on; newest first. */
export function chainOf(task: Task, tasks: readonly Task[]): readonly Task[] {
  const chain: Task[] = []
  let link: Task | undefined = task
  while (link !== undefined && !chain.includes(link)) {
    chain.push(link)
    const { origin }: Task = link
    link = origin.type === 'conflict' ? tasks.find(({ id }) => id === origin.taskId) : undefined
  }
  return chain
}

function isConflicted({ state }: Task): boolean {
  return state.type === 'blocked' && state.paths.length > 0
}
