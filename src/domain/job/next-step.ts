import { assertNever } from '../assert-never.ts'
import type { Baseline } from '../baseline/baseline.ts'
import { isBaselineFinished } from '../baseline/baseline-state.ts'
import type { Cycle, CyclePhase } from '../cycle/cycle.ts'
import { FRUITLESS_CYCLES } from '../limits/job-defaults.ts'
import type { Task } from '../task/task.ts'
import { isTaskFinished } from '../task/task-state.ts'
import { countedCycles } from './base-state.ts'
import type { Job } from './job.ts'
import type { CompletionReason } from './job-state.ts'
import { isOutOfMoney, isOutOfTime, reachedLimit } from './reached-limit.ts'

/** What a running job must do now. */
export type JobStep =
  | { readonly type: 'wait' }
  | { readonly type: 'pause' }
  | { readonly type: 'start-cycle'; readonly number: number }
  /** The base has been checked. */
  | { readonly type: 'judge-base'; readonly baseline: Baseline }
  | { readonly type: 'start-fix'; readonly baseline: Baseline; readonly number: number }
  /** The cycle that fixes the base has ended. */
  | { readonly type: 'judge-fix' }
  | { readonly type: 'discover' }
  | { readonly type: 'dispatch' }
  | { readonly type: 'converge' }
  | { readonly type: 'update' }
  | { readonly type: 'end'; readonly reason: CompletionReason }

export type JobSnapshot = {
  readonly job: Job
  /** All cycles, oldest first. */
  readonly cycles: readonly Cycle[]
  /** The tasks of the newest cycle. */
  readonly tasks: readonly Task[]
  /** The checks of the base, as long as they decide anything. */
  readonly baseline?: Baseline
  readonly unsettledAttempts: number
  /** Landings that proceed on their own; those that wait for a person's approval don't count. */
  readonly openLandings: number
  /** A person has edited the goal or the tasks, and no discovery has applied the edit. */
  readonly hasWaitingEdit: boolean
  /** Only a person's decision brings the job forward. That time doesn't count toward its limit. */
  readonly waitsForPerson: boolean
  readonly now: Date
}

/**
 * Decides, from rows alone, what a running job does next. It is asked again after every change and keeps no memory.
 * A job whose goal is reached, or with nothing left to do, ends with its planner's answer instead: `settleDiscovery`.
 */
export function nextStep(snapshot: JobSnapshot): JobStep {
  const { job } = snapshot
  if (job.state.type !== 'running') return { type: 'wait' }
  const cycle = snapshot.cycles.at(-1)
  const isQuiet = snapshot.unsettledAttempts === 0 && snapshot.openLandings === 0
  if (job.state.pausing && isQuiet && cycle?.phase !== 'update') return { type: 'pause' }
  if (cycle === undefined || cycle.phase === 'done') return baseStep(snapshot) ?? afterCycle(snapshot)
  const isIdle = cycle.phase === 'discovery' && isQuiet
  if (isIdle && isOutOfTime(job, snapshot.now)) return { type: 'end', reason: 'time-limit-reached' }
  if (isIdle && isOutOfMoney(job)) return { type: 'end', reason: 'budget-reached' }
  return withinCycle(snapshot, cycle.phase)
}

/** What the base requires before the next cycle. No planner or worker starts before there is a decision about it. */
function baseStep({ job: { base }, baseline, cycles }: JobSnapshot): JobStep | undefined {
  switch (base?.type) {
    case 'checking':
      return baseline !== undefined && isBaselineFinished(baseline.state)
        ? { type: 'judge-base', baseline }
        : { type: 'wait' }
    case 'asking':
      return { type: 'wait' }
    case 'to-fix':
      return baseline === undefined
        ? { type: 'wait' }
        : { type: 'start-fix', baseline, number: cycles.length + 1 }
    case 'fixing':
      return { type: 'judge-fix' }
    default:
      return undefined
  }
}

function withinCycle({ tasks, unsettledAttempts }: JobSnapshot, phase: CyclePhase): JobStep {
  switch (phase) {
    case 'discovery':
      return { type: unsettledAttempts === 0 ? 'discover' : 'wait' }
    case 'execution':
      return { type: tasks.some(isExecuting) ? 'dispatch' : 'converge' }
    case 'convergence':
      return { type: tasks.every((task) => isTaskFinished(task.state)) ? 'update' : 'wait' }
    case 'update':
    case 'done':
      return { type: 'wait' }
    default:
      return assertNever(phase)
  }
}

/** A task in review may need more work; one that waits to land can't. */
function isExecuting({ state }: Task): boolean {
  return state.type === 'pending' || state.type === 'running' || state.type === 'review'
}

function afterCycle(snapshot: JobSnapshot): JobStep {
  const { job, cycles, now, hasWaitingEdit } = snapshot
  const reason = job.plan.approach === undefined ? undefined : taskEnd(snapshot)
  if (reason !== undefined) return { type: 'end', reason }
  const limit = reachedLimit(job, countedCycles(job, cycles.length), now)
  if (limit !== undefined) return { type: 'end', reason: limit }
  const recent = cycles.slice(-FRUITLESS_CYCLES)
  const isFruitless =
    recent.length === FRUITLESS_CYCLES && recent.every((cycle) => cycle.tasksCompleted === 0)
  if (isFruitless && !hasWaitingEdit) return { type: 'end', reason: 'no-progress' }
  return { type: 'start-cycle', number: cycles.length + 1 }
}

/** How a job without a planner ends: as its only task did. Undefined if that task has not been stored. */
function taskEnd({ job, tasks, now }: JobSnapshot): CompletionReason | undefined {
  const state = tasks.find(({ origin }) => origin.type === 'given')?.state
  switch (state?.type) {
    case undefined:
      return undefined
    case 'completed':
      return 'task-completed'
    case 'blocked':
      return 'task-blocked'
    case 'skipped':
      return reachedLimit(job, 0, now) ?? 'no-progress'
    default:
      return 'task-failed'
  }
}
