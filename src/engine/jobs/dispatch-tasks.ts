import type { Admission } from '../../domain/admission/admit.ts'
import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import { whyUnpaid } from '../../domain/budget/budget-balance.ts'
import { taskFailed, taskStarted, taskWaiting } from '../../domain/event/task-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobSnapshot } from '../../domain/job/next-step.ts'
import { isOutOfMoney, isOutOfTime } from '../../domain/job/reached-limit.ts'
import { nextTaskState, type TaskEvent } from '../../domain/task/next-task-state.ts'
import { readyTasks } from '../../domain/task/ready-tasks.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TaskState } from '../../domain/task/task-state.ts'
import type { Records } from '../../ports/store/store.ts'
import { decideStarts } from '../admission/decide-starts.ts'
import { loadBalance } from '../admission/load-balance.ts'
import { isUnchanged } from '../admission/start-waiter.ts'
import { insertAttempt, newAttempt } from '../attempts/new-attempt.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { startTaskRun } from './start-task-run.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'ids' | 'settings' | 'crash' | 'wakeAt'>
type DispatchSnapshot = Pick<JobSnapshot, 'job' | 'cycles' | 'tasks' | 'now'>

/** Whether a task in this state is skipped if its job has no time or no money left. */
const SKIPPED_AT_LIMIT: Readonly<Record<TaskState['type'], boolean>> = {
  pending: true,
  running: false,
  review: false,
  landing: false,
  completed: false,
  failed: false,
  blocked: false,
  skipped: false,
}

/** Starts ready tasks within every limit, and gives up tasks that can no longer start. */
export async function dispatchTasks(
  needs: Needs,
  records: Records,
  snapshot: DispatchSnapshot,
  head: string,
): Promise<void> {
  const { job, tasks, now } = snapshot
  if (job.state.type === 'running' && job.state.pausing) return
  if (isOutOfTime(job, now)) {
    return skipAll(needs, records, snapshot, 'the time limit was reached')
  }
  if (isOutOfMoney(job)) {
    const reason = whyUnpaid(await loadBalance(records, job), ROLE_FOR.task)
    return skipAll(needs, records, snapshot, reason)
  }
  for (const { task, reason } of readyTasks(tasks).lost) {
    await giveUp(needs, records, job, task, { type: 'dependency-lost', reason })
  }
  const { decisions } = await decideStarts(needs, records, { type: 'tasks', job, tasks })
  const own = decisions.flatMap(({ waiter, agent: { name }, admission }) => {
    if (waiter.of.type !== 'task' || waiter.of.task.jobId !== job.id) return []
    const agent = job.plan.agents.find((one) => one.name === name)
    if (agent === undefined) throw new Error(`job ${job.id} has no agent ${name}`)
    return [{ task: waiter.of.task, agent, admission, isKnown: isUnchanged(waiter, admission) }]
  })
  for (const { task, agent, admission, isKnown } of own) {
    if (admission.type === 'admitted') {
      await startTask(needs, records, snapshot, { task, agent, admission, head })
    } else if (!isKnown) await storeWaiting(needs, records, task, admission)
  }
  const isUnpaid = own.some(({ admission }) => admission.type === 'refused' && admission.limit === 'budget')
  if (isUnpaid) await advanceIdle(records, snapshot)
}

/** Stores why a ready task can't start. */
async function storeWaiting(
  needs: Needs,
  records: Records,
  task: Task,
  admission: Extract<Admission, { type: 'refused' }>,
): Promise<void> {
  const { type: _, ...refusal } = admission
  const { limit, until } = refusal
  const state = nextTaskState(task.state, { type: 'start-refuse', refusal, at: needs.clock.now() })
  if (!state.ok) return
  await records.tasks.save(
    { ...task, state: state.value },
    {
      audit: { actor: 'engine', action: 'task-wait', subject: task.id, detail: { limit } },
      // A job paces itself with its own limit, and reports a spent day once for all its tasks.
      events: limit === 'phase' || limit === 'day' ? [] : [taskWaiting(task, refusal)],
      follow: until === undefined ? [] : [{ type: 'admission-wake' }],
    },
  )
}

type TaskStart = {
  readonly task: Task
  readonly agent: AgentSpec
  readonly admission: Admission
  readonly head: string
}

async function startTask(
  needs: Needs,
  records: Records,
  snapshot: DispatchSnapshot,
  { task, agent, admission, head }: TaskStart,
): Promise<void> {
  const { job } = snapshot
  const { playbook } = task
  if (snapshot.cycles.length === 0) return
  if (playbook !== undefined) {
    return startTaskRun(needs, records, job, { task, playbook, worker: agent.name, head })
  }
  const tries = task.startedAt === undefined ? [] : await records.attempts.listOfTask(task.id)
  const attempt = newAttempt(needs, {
    job,
    purpose: { type: 'task', taskId: task.id },
    role: ROLE_FOR.task,
    number: tries.filter(({ purpose }) => purpose.type === 'task').length + 1,
    agent,
    head,
  })
  await insertAttempt(needs, records, { attempt, admission, events: [taskStarted(task, attempt)] })
  const state = nextTaskState(task.state, { type: 'attempt-start', attemptId: attempt.id })
  if (!state.ok) throw new Error(`task ${task.id} was chosen and is ${task.state.type}`)
  await records.tasks.save(
    { ...task, state: state.value, startedAt: task.startedAt ?? needs.clock.now() },
    {
      audit: { actor: 'engine', action: 'task-start', subject: task.id, detail: { attempt: attempt.number } },
    },
  )
}

/**
 * The budget doesn't pay for one more attempt. If nothing runs, the job must be advanced to notice that it is over.
 */
async function advanceIdle(records: Records, { job, cycles, tasks }: DispatchSnapshot): Promise<void> {
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
  snapshot: DispatchSnapshot,
  reason: string,
): Promise<void> {
  for (const task of snapshot.tasks.filter(({ state }) => SKIPPED_AT_LIMIT[state.type])) {
    await giveUp(needs, records, snapshot.job, task, { type: 'task-skip', reason })
  }
}

/** Gives up a task that will not start, and advances the job, which may have waited for this task alone. */
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
