import { runStarted } from '../../domain/event/run-events.ts'
import type { VisitId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Cast } from '../../domain/run/cast.ts'
import type { ChildPlaybooks, ContinuedWork, Run, RunInputs, RunOrigin } from '../../domain/run/run.ts'
import type { Task } from '../../domain/task/task.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import type { RunNeeds } from './run-needs.ts'

export type RunRequest = {
  readonly job: Job
  readonly task: Task
  readonly playbook: Run['playbook']
  readonly goal: string
  readonly inputs: RunInputs
  readonly cast: Cast
  /** The playbooks that its stages may follow. */
  readonly children?: ChildPlaybooks
  /** The tip of the job's branch. */
  readonly head: string
  /** The run that it continues from, and the counters as they were there. */
  readonly origin?: RunOrigin
  readonly counters?: Run['counters']
}

/** What is special about a run that a visit of another one waits for. */
export type ChildPlace = { readonly parentId: VisitId; readonly continues?: ContinuedWork }

/** Stores a run that has done nothing yet. */
export async function insertRun(
  needs: RunNeeds,
  records: Records,
  { job, task, playbook, goal, inputs, cast, children, head, origin, counters = {} }: RunRequest,
  place?: ChildPlace,
): Promise<Run> {
  const now = needs.clock.now()
  const run: Run = {
    id: needs.ids.next('run'),
    jobId: job.id,
    taskId: task.id,
    ...place,
    playbook,
    goal,
    inputs,
    cast,
    baseCommit: head,
    ...withoutUndefined({ children, origin }),
    counters,
    state: { type: 'running' },
    recoveries: 0,
    activeMs: 0,
    runningSince: now,
    version: 1,
    createdAt: now,
  }
  return await records.runs.insert(run, {
    audit: { actor: 'engine', action: 'run-start', subject: run.id, detail: { playbook: playbook.name } },
    events: [runStarted(run, task)],
  })
}
