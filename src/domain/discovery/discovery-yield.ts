import type { Cycle } from '../cycle/cycle.ts'

/** What became of the tasks that one discovery named. */
export type CycleYield = { readonly cycle: number; readonly discovered: number; readonly landed: number }

/** For every cycle that is over and had tasks, oldest first: how many of them landed. */
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
