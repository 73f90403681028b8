import { canTakeRole } from '../../domain/admission/admit.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import type { Job } from '../../domain/job/job.ts'
import { readyTasks } from '../../domain/task/ready-tasks.ts'
import type { Task } from '../../domain/task/task.ts'
import { requestInJob, type StartWaiter, startLimitsOf } from './start-waiter.ts'

export type TaskWaiter = StartWaiter & {
  readonly of: { readonly type: 'task'; readonly task: Task; readonly agent: AgentSpec }
}

/**
 * What the ready tasks of a job ask for. Among tasks of one priority the job's own order counts, so the times since
 * which they wait are dealt out in that order: across jobs the one that has waited longest still goes first.
 */
export function taskWaiters(
  job: Job,
  tasks: readonly Task[],
  parked: ReadonlyMap<string, Date>,
  now: Date,
): readonly TaskWaiter[] {
  const { ready } = readyTasks(tasks)
  const times = new Map<string, Date[]>()
  for (const { task, priority } of ready) {
    times.set(priority, [...(times.get(priority) ?? []), sinceOf(task, now)])
  }
  for (const list of times.values()) list.sort((one, other) => one.getTime() - other.getTime())
  return ready.map(({ task, priority }, index) => {
    const agent = workerFor(job, task, parked)
    const since = times.get(priority)?.shift() ?? now
    return {
      of: { type: 'task', task, agent },
      turn: {
        isPersonal: false,
        priority,
        stage: 'begin',
        since,
        id: `${job.id} ${String(index).padStart(6, '0')}`,
      },
      request: {
        ...requestInJob(job, 'worker', agent),
        phase: { value: job.plan.limits.maxParallelTasks, isAlone: !task.parallel },
        cost: 'reserved',
      },
    }
  })
}

function sinceOf({ state }: Task, now: Date): Date {
  return state.type === 'pending' && state.waiting !== undefined ? new Date(state.waiting.since) : now
}

/** The task's agent, or while it is out of quota the first of its substitutes that is not. */
function workerFor(job: Job, task: Task, parked: ReadonlyMap<string, Date>): AgentSpec {
  const chosen = chosenAgent(job, task)
  if (!parked.has(chosen.name)) return chosen
  const substitutes = (chosen.fallback ?? []).flatMap((name) =>
    job.plan.agents.filter((agent) => agent.name === name && !parked.has(name) && mayWork(job, agent)),
  )
  return substitutes[0] ?? chosen
}

/** The agent the planner named for the task, if it may work; otherwise the job's worker. */
function chosenAgent(job: Job, task: Task): AgentSpec {
  const named = job.plan.agents.find(({ name }) => name === task.agent)
  if (named !== undefined && mayWork(job, named)) return named
  const worker = job.plan.agents.find(({ name }) => name === job.plan.worker)
  if (worker === undefined) throw new Error(`job ${job.id} has no agent ${job.plan.worker}`)
  return worker
}

function mayWork(job: Job, agent: AgentSpec): boolean {
  return canTakeRole({ role: 'worker', agent, limits: startLimitsOf(job.plan) })
}
