import { runStarted } from '../../domain/event/run-events.ts'
import type { VisitId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Cast } from '../../domain/run/cast.ts'
import type { Run, RunInputs } from '../../domain/run/run.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import { advanceRun } from './advance-run.ts'
import type { RunNeeds } from './run-needs.ts'

export type RunRequest = {
  readonly job: Job
  readonly task: Task
  readonly playbook: Run['playbook']
  readonly goal: string
  readonly inputs: RunInputs
  readonly cast: Cast
  /** The tip of the job's branch. */
  readonly head: string
}

/** Starts a run that works on a task: the run, its first visits and their attempts are stored together or not at all. */
export async function startRun(needs: RunNeeds, records: Records, request: RunRequest): Promise<void> {
  const { job, task } = request
  const run = await insertRun(needs, records, request)
  const state = nextTaskState(task.state, { type: 'run-start', runId: run.id })
  if (!state.ok) throw new Error(`task ${task.id} was chosen and is ${task.state.type}`)
  await records.tasks.save(
    { ...task, state: state.value, startedAt: task.startedAt ?? needs.clock.now() },
    { audit: { actor: 'engine', action: 'task-start', subject: task.id, detail: { run: run.id } } },
  )
  await advanceRun(needs, records, job, run.id)
}

/** `parentId`: the visit of another run that waits for it. */
export async function insertRun(
  needs: RunNeeds,
  records: Records,
  { job, task, playbook, goal, inputs, cast, head }: RunRequest,
  parentId?: VisitId,
): Promise<Run> {
  const run: Run = {
    id: needs.ids.next('run'),
    jobId: job.id,
    taskId: task.id,
    ...(parentId === undefined ? {} : { parentId }),
    playbook,
    goal,
    inputs,
    cast,
    baseCommit: head,
    counters: {},
    state: { type: 'running' },
    recoveries: 0,
    version: 1,
    createdAt: needs.clock.now(),
  }
  return await records.runs.insert(run, {
    audit: { actor: 'engine', action: 'run-start', subject: run.id, detail: { playbook: playbook.name } },
    events: [runStarted(run, task)],
  })
}
