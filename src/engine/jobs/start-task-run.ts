import { castFor } from '../../domain/job/cast-for.ts'
import type { Job } from '../../domain/job/job.ts'
import { castFamily } from '../../domain/run/cast-family.ts'
import { describeCastFailure } from '../../domain/run/describe-cast-failure.ts'
import type { Task, TaskPlaybook } from '../../domain/task/task.ts'
import { taskGoal } from '../../domain/task/task-goal.ts'
import type { PinnedPlaybook } from '../../ports/store/pinned-playbook-records.ts'
import type { Records } from '../../ports/store/store.ts'
import type { RunRequest } from '../runs/insert-run.ts'
import type { RunNeeds } from '../runs/run-needs.ts'
import { startRun } from '../runs/start-run.ts'

type TaskRun = {
  readonly task: Task
  readonly playbook: TaskPlaybook
  /** The name of the agent that may start now, which does the work in the run. */
  readonly worker: string
  readonly head: string
}

/** Starts the run that works on a task. */
export async function startTaskRun(needs: RunNeeds, records: Records, job: Job, run: TaskRun): Promise<void> {
  const { task, head } = run
  await startRun(needs, records, { job, task, head, ...(await chosenFor(records, job, run)) })
}

/** What a run follows, and who takes part in it. */
async function chosenFor(
  records: Records,
  job: Job,
  { task, playbook, worker }: TaskRun,
): Promise<Omit<RunRequest, 'job' | 'task' | 'head'>> {
  const { approach } = job.plan
  if (approach !== undefined && task.origin.type === 'given') {
    const { type: _, from: __, ...chosen } = approach
    return { ...chosen, goal: job.requestDocument }
  }
  const [pinned, ...children] = await Promise.all(
    [playbook.hash, ...Object.values(playbook.children ?? {})].map((hash) => findPinned(records, task, hash)),
  )
  if (pinned === undefined) throw new Error(`task ${task.id} has lost its playbook ${playbook.name}`)
  const cast = castFamily({ ...pinned, children }, castFor(job.plan, worker))
  // A playbook is pinned only if the agents of the job can take its roles.
  if (!cast.ok) throw new Error(`task ${task.id}: ${describeCastFailure(cast.failure).join(' ')}`)
  const { name, hash, inputs } = playbook
  return { playbook: { name, hash }, inputs, ...cast.value, goal: taskGoal(job, task) }
}

async function findPinned(records: Records, task: Task, hash: string): Promise<PinnedPlaybook> {
  const pinned = await records.pinnedPlaybooks.find(hash)
  if (pinned === undefined) throw new Error(`task ${task.id} has lost a playbook: ${hash}`)
  return pinned
}
