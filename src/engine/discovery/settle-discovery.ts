import { appendedLearnings } from '../../domain/attempt/appended-learnings.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import { conflictsFirst } from '../../domain/discovery/conflicts-first.ts'
import type { Discovered } from '../../domain/discovery/discovered.ts'
import type { DiscoveryOutcome } from '../../domain/discovery/discovery-answer.ts'
import { inSequence } from '../../domain/discovery/in-sequence.ts'
import { knownWork } from '../../domain/discovery/known-work.ts'
import { evidenceLines } from '../../domain/discovery/read-evidence.ts'
import { withoutDuplicates } from '../../domain/discovery/without-duplicates.ts'
import { tasksDiscovered } from '../../domain/event/cycle-events.ts'
import { goalClauses } from '../../domain/goal/goal-clauses.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import { storeOutcome } from '../attempts/store-outcome.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { endJob } from '../jobs/end-job.ts'
import { dispatchTasks } from '../tasks/dispatch-tasks.ts'
import { closeDiscovery } from './close-discovery.ts'
import { type ConflictTasks, storeStuckConflicts } from './conflict-tasks.ts'
import { newTasks } from './new-tasks.ts'
import { outcomeOf, type PlannerAnswer } from './read-planner-answer.ts'
import { rejectAnswer } from './reject-answer.ts'
import { storeDiscovery } from './store-discovery.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'ids' | 'settings'>
type Usable = Exclude<DiscoveryOutcome, { type: 'unusable' }>

export type Discovery = {
  readonly job: Job
  readonly attempt: Attempt
  readonly answer: PlannerAnswer
  readonly conflicts: ConflictTasks
  /** Where the trees of the new tasks start. */
  readonly head: string
}

/** Takes a planner's answer up: tasks, goal reached, or an answer that cannot be used. Never confused. */
export async function settleDiscovery(needs: Needs, records: Records, discovery: Discovery): Promise<void> {
  const { job, attempt, answer, head } = discovery
  const { purpose } = attempt
  const cycle = purpose.type === 'discovery' ? await records.cycles.find(purpose.cycleId) : undefined
  if (job.state.type !== 'running' || cycle === undefined || cycle.phase !== 'discovery') {
    return storeOutcome(records, attempt, { type: 'cancelled' })
  }
  const outcome = outcomeOf(job, attempt, answer)
  if (outcome.type === 'unusable') return rejectAnswer(records, job, cycle, attempt, outcome.problem)
  const taught = withAnswer(cycle, outcome)
  const discovered = await discover(needs, records, discovery, taught, outcome)
  const isAskedAgain = isOnlyRepeats(discovered) && attempt.number === 1
  if (isAskedAgain) return rejectAnswer(records, job, cycle, attempt, repeatsProblem(discovered))
  await storeOutcome(records, attempt, { type: 'accepted' })
  await storeStuckConflicts(records, discovery.conflicts.stuck)
  if (discovered.tasks.length === 0) return endDiscovery(needs, records, job, taught, discovered)
  const stored = await storeDiscovery(records, job, taught, discovered)
  // What is ready starts in this very transaction: no time is lost between planning and doing.
  await dispatchTasks(needs, records, { job, ...stored, now: needs.clock.now() }, head)
}

/** The tasks of the cycle: merges of what conflicted, and of the planner's what is new, in an order that can be worked. */
async function discover(
  needs: Needs,
  records: Records,
  { job, conflicts }: Discovery,
  cycle: Cycle,
  outcome: Usable,
): Promise<Discovered> {
  const earlier = await records.tasks.listOfJob(job.id)
  const planned = outcome.type === 'tasks' ? outcome.tasks : []
  const { drafts, repeats } = withoutDuplicates(planned, knownWork(earlier))
  const sequenced = inSequence(conflictsFirst(conflicts.drafts, drafts))
  return {
    tasks: newTasks(needs, job, cycle, sequenced.drafts),
    repeats,
    coupled: sequenced.coupled,
    outcome,
    cycles: await records.cycles.listOf(job.id),
  }
}

async function endDiscovery(
  needs: Needs,
  records: Records,
  job: Job,
  cycle: Cycle,
  discovered: Discovered,
): Promise<void> {
  const { outcome, repeats } = discovered
  if (outcome.type === 'goal-reached') {
    await closeDiscovery(needs, records, cycle, 'the goal is reached', [])
    const evidence = evidenceLines(outcome.evidence, goalClauses(job.requestDocument))
    return endJob(needs, records, job, { reason: 'goal-reached', evidence })
  }
  const news = repeats.length === 0 ? [] : [tasksDiscovered(cycle, discovered)]
  await closeDiscovery(needs, records, cycle, 'nothing new to do', news)
  // It sees work to do and cannot name any that is not done: that is not the same as having nothing left.
  const reason = isOnlyRepeats(discovered) ? 'no-progress' : 'nothing-left'
  return endJob(needs, records, job, { reason, evidence: [] })
}

function isOnlyRepeats({ tasks, repeats, outcome }: Discovered): boolean {
  return outcome.type === 'tasks' && tasks.length === 0 && repeats.length > 0
}

function repeatsProblem({ repeats }: Discovered): string {
  const named = repeats.map(({ number, of }) => `${number} is ${of}`).join(', ')
  return `every task you named is done or open already (${named}): say what is still missing, or that the goal is reached`
}

/** Stored with the cycle's next change. */
function withAnswer(cycle: Cycle, outcome: Usable): Cycle {
  const learnings = appendedLearnings(cycle.learnings, outcome.learnings)
  const blockers = outcome.type === 'tasks' ? outcome.blockers : []
  return { ...cycle, blockers, ...(learnings === undefined ? {} : { learnings }) }
}
