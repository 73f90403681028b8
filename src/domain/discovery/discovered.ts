import type { Cycle } from '../cycle/cycle.ts'
import type { Task } from '../task/task.ts'
import type { DiscoveryOutcome } from './discovery-answer.ts'
import type { Coupling } from './predicted-overlap.ts'
import type { Repeat } from './without-duplicates.ts'

/** What came of a usable answer: its new tasks, what was left out, and what was put in order. */
export type Discovered = {
  readonly tasks: readonly Task[]
  readonly repeats: readonly Repeat[]
  readonly coupled: readonly Coupling[]
  readonly outcome: Exclude<DiscoveryOutcome, { type: 'unusable' }>
  /** All cycles of the job, oldest first. */
  readonly cycles: readonly Cycle[]
}
