import { whyNever } from '../../domain/admission/admit.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import { agentFor } from '../../domain/job/agent-for.ts'
import type { Job } from '../../domain/job/job.ts'
import { readyTasks } from '../../domain/task/ready-tasks.ts'
import type { Task } from '../../domain/task/task.ts'
import { requestInJob, type StartWaiter } from './start-waiter.ts'

/**
 * The requests of a job's ready tasks. Tasks of one priority start in the job's own order, so their waiting times are
 * handed out in that order. Across jobs, the task that has waited longest still goes first.
 */
export function taskWaiters(
  job: Job,
  tasks: readonly Task[],
  parked: ReadonlyMap<string, Date>,
  now: Date,
): readonly StartWaiter[] {
  const { ready } = readyTasks(tasks)
  const times = new Map<string, Date[]>()
  for (const { task, priority } of ready) {
    times.set(priority, [...(times.get(priority) ?? []), sinceOf(task, now)])
  }
  for (const list of times.values()) list.sort((one, other) => one.getTime() - other.getTime())
  return ready.map(({ task, priority }, index) => {
    const agent = chosenAgent(job, task)
    const since = times.get(priority)?.shift() ?? now
    return {
      of: { type: 'task', task },
      turn: {
        isPersonal: false,
        priority,
        stage: 'begin',
        since,
        id: `${job.id} ${String(index).padStart(6, '0')}`,
      },
      request: {
        ...requestInJob(job, ROLE_FOR.task, agent),
        phase: { taskId: task.id, value: job.plan.limits.maxParallelTasks, isAlone: !task.parallel },
        cost: 'reserved',
      },
      substitutes: substitutesFor(job, task, agent, parked.has(agent.name)),
    }
  })
}

function sinceOf({ state }: Task, now: Date): Date {
  return state.type === 'pending' && state.waiting !== undefined ? new Date(state.waiting.since) : now
}

/** The agent the planner named for the task, if it can do tasks; otherwise the job's worker. */
function chosenAgent(job: Job, task: Task): AgentSpec {
  const named = job.plan.agents.find(({ name }) => name === task.agent)
  const request = named === undefined ? undefined : requestInJob(job, ROLE_FOR.task, named)
  if (named !== undefined && request !== undefined && whyNever(request) === undefined) return named
  const worker = agentFor(job.plan, 'task')
  if (worker === undefined) throw new Error(`job ${job.id} has no agent ${job.plan.worker}`)
  return worker
}

/**
 * Out of quota, an agent leaves its tasks to its fallback. Otherwise the agents bound to do tasks substitute for each
 * other, unless the planner named one of them for the task.
 */
function substitutesFor(
  { plan }: Job,
  task: Task,
  chosen: AgentSpec,
  isParked: boolean,
): readonly AgentSpec[] {
  const bound = task.agent === chosen.name ? [] : (plan.workers ?? [])
  const names = isParked ? (chosen.fallback ?? []) : bound
  return names.flatMap((name) => plan.agents.filter((agent) => agent.name === name && agent !== chosen))
}
