import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import { appendedLearnings } from '../../domain/cycle/learnings.ts'
import { nextCyclePhase } from '../../domain/cycle/next-cycle-phase.ts'
import { conflictsFirst } from '../../domain/discovery/conflict-draft.ts'
import type { Discovered, DiscoveryOutcome } from '../../domain/discovery/discovery-answer.ts'
import { inSequence } from '../../domain/discovery/in-sequence.ts'
import { applyChoices } from '../../domain/discovery/playbook-choice.ts'
import { evidenceLines } from '../../domain/discovery/read-evidence.ts'
import { knownWork, withoutDuplicates } from '../../domain/discovery/without-duplicates.ts'
import {
  answerRejected,
  cycleCompleted,
  phaseEntered,
  tasksDiscovered,
} from '../../domain/event/cycle-events.ts'
import type { NewEvent } from '../../domain/event/event.ts'
import { goalClauses } from '../../domain/goal/goal-clauses.ts'
import { castFor } from '../../domain/job/cast-for.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobSnapshot } from '../../domain/job/next-step.ts'
import type { Result } from '../../domain/result.ts'
import { bindFamily, castFamily } from '../../domain/run/cast-family.ts'
import type { Task } from '../../domain/task/task.ts'
import { taskName } from '../../domain/task/task-name.ts'
import type { Records } from '../../ports/store/store.ts'
import { storeOutcome } from '../attempts/store-outcome.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { dispatchTasks } from '../jobs/dispatch-tasks.ts'
import { endJob } from '../jobs/end-job.ts'
import { newTasks } from '../jobs/new-tasks.ts'
import { type ConflictTasks, storeStuckConflicts } from './conflict-tasks.ts'
import type { PinnedFamily } from './playbook-offers.ts'
import { outcomeOf, type PlannerAnswer } from './read-planner-answer.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'ids' | 'settings' | 'crash' | 'wakeAt'>
type Usable = Exclude<DiscoveryOutcome, { type: 'unusable' }>

type PlaybookOffers = ReadonlyMap<string, Result<PinnedFamily, string>>

export type Discovery = {
  readonly job: Job
  readonly attempt: Attempt
  readonly answer: PlannerAnswer
  readonly conflicts: ConflictTasks
  /** The playbooks that tasks of the answer name. */
  readonly offers: PlaybookOffers
  /** The commit that the trees of the new tasks start from. */
  readonly head: string
}

/** Applies a planner's answer: tasks, a goal that is reached, or an answer that cannot be used. */
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
  const chosen = applyChoices(outcome.type === 'tasks' ? outcome.tasks : [], discovery.offers)
  const [misnamed] = chosen.problems
  if (misnamed !== undefined && attempt.number === 1) {
    return rejectAnswer(records, job, cycle, attempt, misnamed)
  }
  const discovered = await discover(needs, records, discovery, taught, { ...chosen, outcome })
  const isAskedAgain = isOnlyRepeats(discovered) && attempt.number === 1
  if (isAskedAgain) return rejectAnswer(records, job, cycle, attempt, repeatsProblem(discovered))
  const doubt = whyDoubted(outcome, await records.tasks.listOfJob(job.id))
  if (doubt !== undefined && attempt.number === 1) return rejectAnswer(records, job, cycle, attempt, doubt)
  await storeOutcome(records, attempt, { type: 'accepted' })
  await storeStuckConflicts(records, discovery.conflicts.stuck)
  if (discovered.tasks.length === 0) {
    return endDiscovery(needs, records, job, taught, { ...discovered, isDoubted: doubt !== undefined })
  }
  const bound = await pinPlaybooks(records, job, discovered.tasks, discovery.offers)
  const stored = await storeDiscovery(records, bound, taught, discovered)
  // Ready tasks start in the same transaction, so no time passes between planning and work.
  await dispatchTasks(needs, records, { job: bound, ...stored, now: needs.clock.now() }, head)
}

/** The tasks of the cycle, ordered by dependency: merges of work that conflicted, and the planner's new tasks. */
async function discover(
  needs: Needs,
  records: Records,
  { job, conflicts }: Discovery,
  cycle: Cycle,
  { drafts: planned, problems, outcome }: ReturnType<typeof applyChoices> & { readonly outcome: Usable },
): Promise<Discovered> {
  const earlier = await records.tasks.listOfJob(job.id)
  const { drafts, repeats } = withoutDuplicates(planned, knownWork(earlier))
  const sequenced = inSequence(conflictsFirst(conflicts.drafts, drafts))
  return {
    tasks: newTasks(needs, job, cycle, sequenced.drafts),
    repeats,
    coupled: sequenced.coupled,
    notes: problems.map((problem) => `${problem}; it is worked on without it`),
    outcome,
    cycles: await records.cycles.listOf(job.id),
  }
}

/** Pins the playbooks of new tasks, so that no later edit of their files changes this job. */
async function pinPlaybooks(
  records: Records,
  job: Job,
  tasks: readonly Task[],
  offers: PlaybookOffers,
): Promise<Job> {
  let { plan } = job
  const names = new Set(tasks.flatMap(({ playbook }) => playbook?.name ?? []))
  for (const offer of [...names].map((name) => offers.get(name))) {
    if (offer?.ok !== true) continue
    const { children, ...pinned } = offer.value
    for (const one of [pinned, ...children]) await records.pinnedPlaybooks.pin(one)
    const cast = castFamily(offer.value, castFor(plan))
    if (cast.ok) plan = { ...plan, roles: bindFamily(plan, cast.value) }
  }
  if (JSON.stringify(plan.roles) === JSON.stringify(job.plan.roles ?? {})) return job
  return await records.jobs.save(
    { ...job, plan },
    { audit: { actor: 'engine', action: 'job-cast', subject: job.id, detail: { playbooks: names.size } } },
  )
}

async function endDiscovery(
  needs: Needs,
  records: Records,
  job: Job,
  cycle: Cycle,
  discovered: Discovered & { readonly isDoubted: boolean },
): Promise<void> {
  const { outcome, repeats } = discovered
  if (outcome.type === 'goal-reached' && !discovered.isDoubted) {
    await closeDiscovery(needs, records, cycle, 'the goal is reached', [])
    const evidence = evidenceLines(outcome.evidence, goalClauses(job.requestDocument))
    return endJob(needs, records, job, { reason: 'goal-reached', evidence })
  }
  const news = repeats.length === 0 ? [] : [tasksDiscovered(cycle, discovered)]
  await closeDiscovery(needs, records, cycle, 'nothing new to do', news)
  // The planner sees work left but lists only known tasks, which is not the same as having nothing left.
  const reason = isOnlyRepeats(discovered) ? 'no-progress' : 'nothing-left'
  return endJob(needs, records, job, { reason: discovered.isDoubted ? 'goal-doubted' : reason, evidence: [] })
}

/** Ends a cycle without tasks. */
async function closeDiscovery(
  needs: Needs,
  records: Records,
  cycle: Cycle,
  summary: string,
  events: readonly NewEvent[],
): Promise<void> {
  const phase = nextCyclePhase(cycle.phase, 'done')
  if (!phase.ok) return
  await records.cycles.save(
    { ...cycle, phase: phase.value, summary, completedAt: needs.clock.now() },
    {
      audit: { actor: 'engine', action: 'cycle-end', subject: cycle.id, detail: {} },
      events: [...events, cycleCompleted(cycle, summary)],
    },
  )
}

/** Rejects an unusable answer. The planner is asked again, with the reason, up to its limit. */
async function rejectAnswer(
  records: Records,
  job: Job,
  cycle: Cycle,
  attempt: Attempt,
  problem: string,
): Promise<void> {
  await storeOutcome(records, attempt, { type: 'rejected', reason: problem })
  await records.note({
    audit: {
      actor: 'engine',
      action: 'discovery-reject',
      subject: cycle.id,
      detail: { try: attempt.number },
    },
    events: [answerRejected(cycle, attempt, problem)],
    follow: [{ type: 'job-advance', jobId: job.id }],
  })
}

/** Stores the tasks of a cycle and moves the cycle to execution. */
async function storeDiscovery(
  records: Records,
  job: Job,
  cycle: Cycle,
  discovered: Discovered,
): Promise<Pick<JobSnapshot, 'cycles' | 'tasks'>> {
  const { tasks } = discovered
  const phase = nextCyclePhase(cycle.phase, 'execution')
  if (!phase.ok) throw new Error(`cycle ${cycle.id} cannot execute from ${cycle.phase}`)
  await records.tasks.insertAll(tasks, {
    audit: { actor: 'engine', action: 'tasks-discover', subject: cycle.id, detail: { count: tasks.length } },
    events: [tasksDiscovered(cycle, discovered)],
  })
  const executing = { ...cycle, phase: phase.value, tasksDiscovered: tasks.length }
  const saved = await records.cycles.save(executing, {
    audit: { actor: 'engine', action: 'cycle-phase', subject: cycle.id, detail: { phase: 'execution' } },
    events: [phaseEntered(executing)],
    // A pausing job starts nothing, so it must be advanced to notice that nothing is running.
    follow: job.state.type === 'running' && job.state.pausing ? [{ type: 'job-advance', jobId: job.id }] : [],
  })
  return { cycles: [saved], tasks }
}

/** A goal for which tasks were needed can't be reached by tasks of which none landed. */
function whyDoubted(outcome: Usable, tasks: readonly Task[]): string | undefined {
  if (outcome.type !== 'goal-reached' || tasks.length === 0) return undefined
  if (tasks.some(({ state }) => state.type === 'completed')) return undefined
  const names = tasks.map((task) => taskName(task)).join(', ')
  return `\`done\` is true, but nothing has landed: none of your tasks is completed (${names}). List what is still to be done, or answer \`done\` again if the goal was reached before this job began`
}

function isOnlyRepeats({ tasks, repeats, outcome }: Discovered): boolean {
  return outcome.type === 'tasks' && tasks.length === 0 && repeats.length > 0
}

function repeatsProblem({ repeats }: Discovered): string {
  const named = repeats.map(({ number, of }) => `${number} is ${of}`).join(', ')
  return `every task you listed is already done or open (${named}): list what is still missing, or answer that the goal is reached`
}

/** Stored with the cycle's next change. */
function withAnswer(cycle: Cycle, outcome: Usable): Cycle {
  const learnings = appendedLearnings(cycle.learnings, outcome.learnings)
  const blockers = outcome.type === 'tasks' ? outcome.blockers : []
  return { ...cycle, blockers, ...(learnings === undefined ? {} : { learnings }) }
}
