import type { Attempt } from '../../domain/attempt/attempt.ts'
import { landingQueued } from '../../domain/event/landing-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import { LANDING_LIMITS } from '../../domain/limits/landing-limits.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'ids'>

export type LandingRequest = {
  readonly job: Job
  /** The task to store, except for its state. */
  readonly task: Task
  /** The worker's attempt whose work is to land. */
  readonly attempt: Attempt
  readonly tip: string
  readonly omissions: readonly string[]
}

/**
 * Puts work that claims to be done into the merge queue. No work is sent for that: the handler that settles the
 * attempt advances the queue before its own work counts as done, so a death in between repeats it.
 */
export async function queueLanding(needs: Needs, records: Records, request: LandingRequest): Promise<void> {
  const { job, task, attempt, tip, omissions } = request
  const landing: Landing = {
    id: needs.ids.next('landing'),
    jobId: task.jobId,
    taskId: task.id,
    attemptId: attempt.id,
    branch: job.workingBranch,
    tip,
    state: { type: 'queued' },
    checks: [],
    batchLimit: LANDING_LIMITS.batch,
    version: 1,
    createdAt: needs.clock.now(),
  }
  await records.landings.insert(landing, {
    audit: { actor: 'engine', action: 'landing-queue', subject: landing.id, detail: { tip } },
    events: [landingQueued(landing, task, { omissions })],
    follow: [{ type: 'job-advance', jobId: task.jobId }],
  })
  const state = nextTaskState(task.state, { type: 'landing-request', landingId: landing.id })
  if (!state.ok) throw new Error(`task ${task.id} cannot land from ${task.state.type}`)
  await records.tasks.save(
    { ...task, state: state.value },
    {
      audit: {
        actor: 'engine',
        action: 'task-land',
        subject: task.id,
        detail: { files: task.filesModified.length },
      },
    },
  )
}
