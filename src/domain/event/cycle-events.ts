import type { Attempt } from '../attempt/attempt.ts'
import type { Cycle, CyclePhase } from '../cycle/cycle.ts'
import type { Discovered } from '../discovery/discovery-answer.ts'
import { type CycleYield, discoveryYield } from '../discovery/discovery-yield.ts'
import type { Coupling } from '../discovery/predicted-overlap.ts'
import type { Repeat } from '../discovery/without-duplicates.ts'
import type { TaskId } from '../id.ts'
import type { Task } from '../task/task.ts'
import { cyclePlace } from './event-place.ts'
import { builderOf } from './new-event.ts'

type TaskSummary = Pick<
  Task,
  | 'id'
  | 'number'
  | 'description'
  | 'priority'
  | 'dependsOn'
  | 'after'
  | 'clauses'
  | 'files'
  | 'successCriteria'
> & {
  /** The task whose conflicting work it merges. */
  readonly merges?: TaskId | undefined
  /** The name of the playbook that works on it. */
  readonly playbook?: string | undefined
}

export type CycleEvents = {
  readonly cycle_started: { readonly phase: CyclePhase }
  readonly cycle_phase: {
    readonly phase: CyclePhase
    /** Why the planner is asked again: what was wrong with its answer. */
    readonly problem?: string | undefined
    readonly try?: number | undefined
  }
  readonly cycle_tasks_discovered: {
    readonly tasks: readonly TaskSummary[]
    readonly reasoning: string
    readonly blockers: readonly string[]
    readonly repeats: readonly Repeat[]
    readonly coupled: readonly Coupling[]
    readonly yields: readonly CycleYield[]
    /** What could not be done as the planner asked. */
    readonly notes?: readonly string[] | undefined
  }
  readonly cycle_completed: {
    readonly summary: string
    readonly tasksCompleted: number
    readonly tasksFailed: number
    /** Why the working branch could not be delivered. */
    readonly problem?: string | undefined
  }
}

const event = builderOf<CycleEvents>()

const MAX_YIELDS = 10

export function cycleStarted(cycle: Cycle) {
  return event('cycle_started', cyclePlace(cycle), { phase: cycle.phase })
}

/** `cycle`: in its new phase. */
export function phaseEntered(cycle: Cycle) {
  return event('cycle_phase', cyclePlace(cycle), { phase: cycle.phase })
}

export function answerRejected(cycle: Cycle, attempt: Attempt, problem: string) {
  const place = { ...cyclePlace(cycle), attemptId: attempt.id }
  return event('cycle_phase', place, { phase: cycle.phase, problem, try: attempt.number })
}

export function tasksDiscovered(
  cycle: Cycle,
  { tasks, outcome, repeats, coupled, cycles, notes }: Discovered,
) {
  return event('cycle_tasks_discovered', cyclePlace(cycle), {
    tasks: tasks.map(summaryOf),
    reasoning: outcome.reasoning,
    blockers: cycle.blockers,
    repeats,
    coupled,
    yields: discoveryYield(cycles).slice(-MAX_YIELDS),
    notes: notes.length === 0 ? undefined : notes,
  })
}

function summaryOf(task: Task): TaskSummary {
  const { id, number, description, priority, dependsOn, after, clauses, files, successCriteria, origin } =
    task
  const merges = origin.type === 'conflict' ? origin.taskId : undefined
  const playbook = task.playbook?.name
  return {
    ...{ id, number, description, priority, dependsOn, after, clauses, files, successCriteria },
    merges,
    playbook,
  }
}

export function cycleCompleted(cycle: Cycle, summary: string, problem?: string) {
  const { tasksCompleted, tasksFailed } = cycle
  return event('cycle_completed', cyclePlace(cycle), { summary, tasksCompleted, tasksFailed, problem })
}
