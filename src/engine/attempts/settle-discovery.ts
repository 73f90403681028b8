import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import { nextCyclePhase } from '../../domain/cycle/next-cycle-phase.ts'
import type { DiscoveryOutcome } from '../../domain/discovery/discovery-answer.ts'
import { readDiscoveryAnswer } from '../../domain/discovery/read-discovery-answer.ts'
import { withoutDuplicates } from '../../domain/discovery/without-duplicates.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobSight } from '../../domain/job/next-step.ts'
import { describeSessionEnd } from '../../domain/session/describe-session-end.ts'
import type { Task, TaskDraft } from '../../domain/task/task.ts'
import { isTaskOver } from '../../domain/task/task-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { endJob } from '../jobs/end-job.ts'
import { dispatchTasks } from '../tasks/dispatch-tasks.ts'
import { storeOutcome } from './store-outcome.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'ids' | 'settings'>

export type Discovery = {
  readonly job: Job
  readonly attempt: Attempt
  readonly answer: unknown
  /** Where the trees of the new tasks start. */
  readonly head: string
}

/** Takes a planner's answer up: tasks, goal reached, or an answer that cannot be used. Never confused. */
export async function settleDiscovery(needs: Needs, records: Records, discovery: Discovery): Promise<void> {
  const { job, attempt, answer, head } = discovery
  const cycle = await records.cycles.find(attempt.cycleId)
  if (job.state.type !== 'running' || cycle === undefined || cycle.phase !== 'discovery') {
    return storeOutcome(records, attempt, { type: 'cancelled' })
  }
  const outcome = outcomeOf(attempt, answer)
  if (outcome.type === 'unusable') return rejectAnswer(records, job, cycle, attempt, outcome.problem)
  await storeOutcome(records, attempt, { type: 'accepted' })
  if (outcome.type === 'goal-reached') {
    await closeCycle(needs, records, cycle, 'the goal is reached')
    return endJob(needs, records, job, { reason: 'goal-reached', evidence: outcome.evidence })
  }
  const earlier = await records.tasks.listOfJob(job.id)
  const drafts = withoutDuplicates(outcome.tasks, earlier.filter(isDoneOrOpen).map(asKnown))
  if (drafts.length === 0) {
    await closeCycle(needs, records, cycle, 'nothing new to do')
    return endJob(needs, records, job, { reason: 'nothing-left', evidence: [] })
  }
  const stored = await storeTasks(needs, records, job, cycle, drafts, outcome)
  // What is ready starts in this very transaction: no time is lost between planning and doing.
  await dispatchTasks(needs, records, { job, ...stored, now: needs.clock.now() }, head)
}

function outcomeOf(attempt: Attempt, answer: unknown): DiscoveryOutcome {
  if (attempt.state.type === 'ended' && attempt.state.ending !== 'done') {
    return { type: 'unusable', problem: `the planner ${describeSessionEnd(attempt.state.end)}` }
  }
  return readDiscoveryAnswer(answer)
}

function isDoneOrOpen(task: Task): boolean {
  return task.state.type === 'completed' || !isTaskOver(task.state)
}

function asKnown(task: Task): { readonly description: string; readonly finished: boolean } {
  return { description: task.description, finished: task.state.type === 'completed' }
}

async function rejectAnswer(
  records: Records,
  job: Job,
  cycle: Cycle,
  attempt: Attempt,
  problem: string,
): Promise<void> {
  await storeOutcome(records, attempt, { type: 'rejected', reason: problem })
  // The cycle itself stays where it is; saving it carries the news and the next step.
  await records.cycles.save(cycle, {
    audit: {
      actor: 'engine',
      action: 'discovery-reject',
      subject: cycle.id,
      detail: { try: attempt.number },
    },
    events: [
      {
        type: 'cycle_phase',
        jobId: job.id,
        cycle: cycle.number,
        attemptId: attempt.id,
        data: { phase: 'discovery', problem, try: attempt.number },
      },
    ],
    follow: [{ type: 'job-advance', jobId: job.id }],
  })
}

async function closeCycle(needs: Needs, records: Records, cycle: Cycle, summary: string): Promise<void> {
  const phase = nextCyclePhase(cycle.phase, 'done')
  if (!phase.ok) return
  await records.cycles.save(
    { ...cycle, phase: phase.value, summary, completedAt: needs.clock.now() },
    {
      audit: { actor: 'engine', action: 'cycle-end', subject: cycle.id, detail: {} },
      events: [
        {
          type: 'cycle_completed',
          jobId: cycle.jobId,
          cycle: cycle.number,
          data: { summary, tasksCompleted: 0, tasksFailed: 0 },
        },
      ],
    },
  )
}

async function storeTasks(
  needs: Needs,
  records: Records,
  job: Job,
  cycle: Cycle,
  drafts: readonly TaskDraft[],
  outcome: Extract<DiscoveryOutcome, { type: 'tasks' }>,
): Promise<Pick<JobSight, 'cycles' | 'tasks'>> {
  const now = needs.clock.now()
  const tasks = drafts.map(
    (draft, index): Task => ({
      ...draft,
      id: needs.ids.next('task'),
      jobId: job.id,
      cycleId: cycle.id,
      cycleNumber: cycle.number,
      number: index + 1,
      branch: `${job.workingBranch}--t${cycle.number}-${index + 1}`,
      state: { type: 'pending' },
      retryCount: 0,
      filesModified: [],
      commitsMade: [],
      version: 1,
      createdAt: now,
    }),
  )
  await records.tasks.insertAll(tasks, {
    audit: { actor: 'engine', action: 'tasks-discover', subject: cycle.id, detail: { count: tasks.length } },
    events: [
      {
        type: 'cycle_tasks_discovered',
        jobId: job.id,
        cycle: cycle.number,
        data: {
          tasks: tasks.map(({ id, number, description, priority, dependsOn }) => ({
            id,
            number,
            description,
            priority,
            dependsOn,
          })),
          reasoning: outcome.reasoning,
          blockers: outcome.blockers,
        },
      },
    ],
  })
  const phase = nextCyclePhase(cycle.phase, 'execution')
  if (!phase.ok) throw new Error(`cycle ${cycle.id} cannot execute from ${cycle.phase}`)
  const executing = await records.cycles.save(
    { ...cycle, phase: phase.value, tasksDiscovered: tasks.length },
    {
      audit: { actor: 'engine', action: 'cycle-phase', subject: cycle.id, detail: { phase: 'execution' } },
      events: [{ type: 'cycle_phase', jobId: job.id, cycle: cycle.number, data: { phase: 'execution' } }],
      // Nothing was started if the job is to pause: it has to notice that all is quiet.
      follow:
        job.state.type === 'running' && job.state.pausing ? [{ type: 'job-advance', jobId: job.id }] : [],
    },
  )
  return { cycles: [executing], tasks }
}
