import type { Cycle } from '../cycle/cycle.ts'

/** How many of the tasks that one discovery listed have landed. */
export type CycleYield = { readonly cycle: number; readonly discovered: number; readonly landed: number }

/** The yield of every finished cycle that had tasks, oldest first. */
export function discoveryYield(
  cycles: readonly Pick<Cycle, 'number' | 'phase' | 'tasksDiscovered' | 'tasksCompleted'>[],
): readonly CycleYield[] {
  return cycles
    .filter((cycle) => cycle.phase === 'done' && cycle.tasksDiscovered > 0)
    .map((cycle) => ({
      cycle: cycle.number,
      discovered: cycle.tasksDiscovered,
      landed: cycle.tasksCompleted,
    }))
}
