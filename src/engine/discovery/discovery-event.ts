import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { DiscoveryOutcome } from '../../domain/discovery/discovery-answer.ts'
import { discoveryYield } from '../../domain/discovery/discovery-yield.ts'
import type { Coupling } from '../../domain/discovery/predicted-overlap.ts'
import type { Repeat } from '../../domain/discovery/without-duplicates.ts'
import type { NewEvent } from '../../domain/event/job-event.ts'
import type { Task } from '../../domain/task/task.ts'

const MAX_YIELDS = 10

export type Discovered = {
  readonly tasks: readonly Task[]
  readonly repeats: readonly Repeat[]
  readonly coupled: readonly Coupling[]
  readonly outcome: Exclude<DiscoveryOutcome, { type: 'unusable' }>
  /** All of the job's, oldest first. */
  readonly cycles: readonly Cycle[]
}

/** Tells what a discovery found, what it left out, and what it put in order. */
export function discoveryEvent(cycle: Cycle, discovered: Discovered): NewEvent {
  const { outcome, repeats, coupled } = discovered
  return {
    type: 'cycle_tasks_discovered',
    jobId: cycle.jobId,
    cycle: cycle.number,
    data: {
      tasks: discovered.tasks.map(summaryOf),
      reasoning: outcome.reasoning,
      blockers: outcome.type === 'tasks' ? outcome.blockers : [],
      repeats,
      coupled,
      yields: discoveryYield(discovered.cycles).slice(-MAX_YIELDS),
    },
  }
}

function summaryOf(task: Task) {
  const { id, number, description, priority, dependsOn, after, clauses, files, successCriteria, origin } =
    task
  const from = origin.type === 'conflict' ? { merges: origin.taskId } : {}
  return { id, number, description, priority, dependsOn, after, clauses, files, successCriteria, ...from }
}
