import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { whyUnpaid } from '../../domain/budget/purse.ts'
import { taskFailed, taskStarted } from '../../domain/event/task-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobSight } from '../../domain/job/next-step.ts'
import { isOutOfMoney, isOutOfTime } from '../../domain/job/reached-limit.ts'
import { findQuotaLimits } from '../../domain/session/quota-limits.ts'
import { attemptIdOf } from '../../domain/session/session-purpose.ts'
import { chooseTasks } from '../../domain/task/choose-tasks.ts'
import { nextTaskState, type TaskEvent } from '../../domain/task/next-task-state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TaskState } from '../../domain/task/task-state.ts'
import type { Records } from '../../ports/store/store.ts'
import { newAttempt } from '../attempts/new-attempt.ts'
import { lookAtPurse } from '../budget/look-at-purse.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { findRoom } from './find-room.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'ids' | 'settings'>
type DispatchSight = Pick<JobSight, 'job' | 'cycles' | 'tasks' | 'now'>

/** Starts what is ready, within every limit; gives up what can no longer start. */
export async function dispatchTasks(
  needs: Needs,
  records: Records,
  sight: DispatchSight,
  head: string,
): Promise<void> {
  const { job, tasks, now } = sight
  if (job.state.type === 'running' && job.state.pausing) return
  if (isOutOfTime(job, now)) {
    return skipAll(needs, records, sight, ['pending', 'review'], 'the time limit was reached')
  }
  // Nobody is paid to review any more either: what waits for it stays pinned.
  if (isOutOfMoney(job)) {
    const reason = whyUnpaid(await lookAtPurse(records, job), 'worker')
    return skipAll(needs, records, sight, ['pending', 'review'], reason)
  }
  const room = await findRoom(needs, records, job, 'worker')
  const limits = findQuotaLimits(room.live, now)
  const atWork = new Set(room.live.flatMap((session) => attemptIdOf(session) ?? []))
  const choice = chooseTasks(tasks, {
    maxParallel: job.plan.limits.maxParallelTasks,
    places: room.places,
    liveOf: room.liveOf,
    isAtWork: ({ state }) => state.type === 'running' && atWork.has(state.attemptId),
    agentOf: (task) => agentOf(job, task, limits).name,
    // An agent that is out of quota is given nothing: what it already has waits with it.
    maxParallelOf: (task) => {
      const agent = agentOf(job, task, limits)
      return limits.has(agent.name) ? 0 : (agent.maxParallel ?? Number.POSITIVE_INFINITY)
    },
  })
  for (const { task, reason } of choice.lost) {
    await giveUp(needs, records, job, task, { type: 'dependency-lost', reason })
  }
  for (const task of choice.start) {
    await startTask(needs, records, sight, { task, agent: agentOf(job, task, limits), head })
  }
  if (!room.isPaid) await lookAgain(records, sight)
}

async function startTask(
  needs: Needs,
  records: Records,
  sight: DispatchSight,
  { task, agent, head }: { readonly task: Task; readonly agent: AgentSpec; readonly head: string },
): Promise<void> {
  const cycle = sight.cycles.at(-1)
  if (cycle === undefined) return
  const tries = await records.attempts.listOfTask(task.id)
  const attempt = await newAttempt(needs, records, {
    job: sight.job,
    purpose: { type: 'task', taskId: task.id },
    number: tries.filter(({ purpose }) => purpose.type === 'task').length + 1,
    agent,
    // What is revised goes on from where it was.
    head: task.startFrom ?? head,
    events: (made) => [taskStarted(task, made)],
  })
  const state = nextTaskState(task.state, { type: 'attempt-start', attemptId: attempt.id })
  if (!state.ok) throw new Error(`task ${task.id} was chosen and is ${task.state.type}`)
  await records.tasks.save(
    { ...task, state: state.value, startedAt: task.startedAt ?? needs.clock.now() },
    {
      audit: { actor: 'engine', action: 'task-start', subject: task.id, detail: { attempt: attempt.number } },
    },
  )
}

/** Too little money is left for one more: a job of which nothing runs has to notice that this is its end. */
async function lookAgain(records: Records, { job, cycles, tasks }: DispatchSight): Promise<void> {
  const cycle = cycles.at(-1)
  const hasPending = tasks.some(({ state }) => state.type === 'pending')
  if (cycle === undefined || !hasPending) return
  const running = await records.attempts.listUnsettled(job.id)
  if (running.length > 0) return
  await records.note({
    audit: { actor: 'engine', action: 'cycle-wait', subject: cycle.id, detail: {} },
    follow: [{ type: 'job-advance', jobId: job.id }],
  })
}

async function skipAll(
  needs: Needs,
  records: Records,
  sight: DispatchSight,
  states: readonly TaskState['type'][],
  reason: string,
): Promise<void> {
  for (const task of sight.tasks.filter(({ state }) => states.includes(state.type))) {
    await giveUp(needs, records, sight.job, task, { type: 'task-skip', reason })
  }
}

/** A task that will not start: the job looks again, because this may have been the last one it waited for. */
async function giveUp(needs: Needs, records: Records, job: Job, task: Task, event: TaskEvent): Promise<void> {
  const state = nextTaskState(task.state, event)
  if (!state.ok) return
  const reason = 'reason' in event ? event.reason : event.type
  await records.tasks.save(
    { ...task, state: state.value, completedAt: needs.clock.now() },
    {
      audit: { actor: 'engine', action: event.type, subject: task.id, detail: {} },
      events: [taskFailed(task, { status: state.value.type, error: reason })],
      follow: [{ type: 'job-advance', jobId: job.id }],
    },
  )
}

/** The task's agent, or while it is out of quota the first of its substitutes that is not. */
function agentOf(job: Job, task: Task, limits: ReadonlyMap<string, Date>): AgentSpec {
  const chosen = chosenAgent(job, task)
  if (!limits.has(chosen.name)) return chosen
  const substitutes = (chosen.fallback ?? []).flatMap((name) =>
    job.plan.agents.filter((agent) => agent.name === name && !limits.has(name)),
  )
  return substitutes[0] ?? chosen
}

function chosenAgent(job: Job, task: Task): AgentSpec {
  const name = task.agent ?? job.plan.worker
  const agent = job.plan.agents.find((candidate) => candidate.name === name)
  const fallback = job.plan.agents.find((candidate) => candidate.name === job.plan.worker)
  const chosen = agent ?? fallback
  if (chosen === undefined) throw new Error(`job ${job.id} has no agent ${job.plan.worker}`)
  return chosen
}
