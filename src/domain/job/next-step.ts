import { assertNever } from '../assert-never.ts'
import type { Cycle, CyclePhase } from '../cycle/cycle.ts'
import { FRUITLESS_CYCLES } from '../limits/job-defaults.ts'
import type { Task } from '../task/task.ts'
import { isTaskOver } from '../task/task-state.ts'
import type { Job } from './job.ts'
import type { CompletionReason } from './job-state.ts'
import { isOutOfMoney, isOutOfTime, reachedLimit } from './reached-limit.ts'

/** What a running job needs done now. */
export type JobStep =
  | { readonly type: 'wait' }
  | { readonly type: 'pause' }
  | { readonly type: 'start-cycle'; readonly number: number }
  | { readonly type: 'discover' }
  | { readonly type: 'dispatch' }
  | { readonly type: 'converge' }
  | { readonly type: 'update' }
  | { readonly type: 'end'; readonly reason: CompletionReason }

export type JobSight = {
  readonly job: Job
  /** All cycles, oldest first. */
  readonly cycles: readonly Cycle[]
  /** The tasks of the newest cycle. */
  readonly tasks: readonly Task[]
  readonly unsettledAttempts: number
  /** Those that go on by themselves: what waits for a person to allow it is not counted. */
  readonly openLandings: number
  /** A person has edited the goal or the tasks, and no discovery has seen it. */
  readonly hasWaitingEdit: boolean
  readonly now: Date
}

/** Decides, from rows alone, what a running job does next. Asked again after every change, it never forgets. */
export function nextStep(sight: JobSight): JobStep {
  const { job } = sight
  if (job.state.type !== 'running') return { type: 'wait' }
  const cycle = sight.cycles.at(-1)
  const isQuiet = sight.unsettledAttempts === 0 && sight.openLandings === 0
  if (job.state.pausing && isQuiet && cycle?.phase !== 'update') return { type: 'pause' }
  if (cycle === undefined || cycle.phase === 'done') return afterCycle(sight)
  const isIdle = cycle.phase === 'discovery' && isQuiet
  if (isIdle && isOutOfTime(job, sight.now)) return { type: 'end', reason: 'time-limit-reached' }
  if (isIdle && isOutOfMoney(job)) return { type: 'end', reason: 'budget-reached' }
  return withinCycle(sight, cycle.phase)
}

function withinCycle({ tasks, unsettledAttempts }: JobSight, phase: CyclePhase): JobStep {
  switch (phase) {
    case 'discovery':
      return { type: unsettledAttempts === 0 ? 'discover' : 'wait' }
    case 'execution':
      return { type: tasks.some(isExecuting) ? 'dispatch' : 'converge' }
    case 'convergence':
      return { type: tasks.every((task) => isTaskOver(task.state)) ? 'update' : 'wait' }
    case 'update':
    case 'done':
      return { type: 'wait' }
    default:
      return assertNever(phase)
  }
}

/** Of a task in review more work may come; of one that waits to land it cannot. */
function isExecuting({ state }: Task): boolean {
  return state.type === 'pending' || state.type === 'running' || state.type === 'review'
}

function afterCycle(sight: JobSight): JobStep {
  const { job, cycles, now, hasWaitingEdit } = sight
  const limit = reachedLimit(job, cycles.length, now)
  if (limit !== undefined) return { type: 'end', reason: limit }
  const recent = cycles.slice(-FRUITLESS_CYCLES)
  const isFruitless =
    recent.length === FRUITLESS_CYCLES && recent.every((cycle) => cycle.tasksCompleted === 0)
  if (isFruitless && !hasWaitingEdit) return { type: 'end', reason: 'no-progress' }
  return { type: 'start-cycle', number: cycles.length + 1 }
}
