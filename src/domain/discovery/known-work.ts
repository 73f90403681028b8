import type { Task } from '../task/task.ts'
import { isTaskOver } from '../task/task-state.ts'
import { chainOf, openConflicts } from './conflict-chain.ts'
import type { KnownTask } from './without-duplicates.ts'

/**
 * What a planner need not ask for again: tasks that landed or are under way, and those whose work such a task
 * merges, or is about to.
 */
export function knownWork(tasks: readonly Task[]): readonly KnownTask[] {
  const alive = [...tasks.filter(isDoneOrOpen), ...openConflicts(tasks).mergeable]
  const known = new Set(alive.flatMap((task) => chainOf(task, tasks)))
  return [...known].map(({ cycleNumber, number, description, files }) => ({
    description,
    files,
    name: `task ${cycleNumber}.${number}`,
  }))
}

function isDoneOrOpen({ state }: Task): boolean {
  return state.type === 'completed' || !isTaskOver(state)
}
