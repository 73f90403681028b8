import type { CycleId, JobId } from '../id.ts'

export type CyclePhase = 'discovery' | 'execution' | 'convergence' | 'update' | 'done'

/** One pass of a job: discovery, execution, convergence, update. */
export type Cycle = {
  readonly id: CycleId
  readonly jobId: JobId
  readonly number: number
  readonly phase: CyclePhase
  readonly tasksDiscovered: number
  readonly tasksLaunched: number
  readonly tasksCompleted: number
  readonly tasksFailed: number
  readonly summary?: string
  /** What agents reported as learnt, one line each. */
  readonly learnings?: string
  /** What the planner reported as blocking. */
  readonly blockers: readonly string[]
  readonly version: number
  readonly startedAt: Date
  readonly completedAt?: Date
}

/** A cycle that starts with discovery. */
export function newCycle(fields: Pick<Cycle, 'id' | 'jobId' | 'number' | 'startedAt'>): Cycle {
  return {
    ...fields,
    phase: 'discovery',
    tasksDiscovered: 0,
    tasksLaunched: 0,
    tasksCompleted: 0,
    tasksFailed: 0,
    blockers: [],
    version: 1,
  }
}
