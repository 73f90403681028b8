import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import { reviewDelayed, reviewStarted } from '../../domain/event/task-events.ts'
import { agentFor } from '../../domain/job/agent-for.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import { type AdmissionNeeds, decideStart } from '../admission/decide-starts.ts'
import { attemptWaiter } from '../admission/start-waiter.ts'
import { insertAttempt, newAttempt } from '../attempts/new-attempt.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'ids' | 'crash'> & AdmissionNeeds

export type ReviewRequest = {
  readonly job: Job
  /** The task to store, except for its state. */
  readonly task: Task
  /** The commit to review. */
  readonly tip: string
  readonly omissions?: readonly string[]
}

/** Starts a review of an agent's work, in a tree of its own at exactly that commit. */
export async function askReviewer(needs: Needs, records: Records, request: ReviewRequest): Promise<void> {
  const { job, task, tip, omissions = [] } = request
  const agent = agentFor(job.plan, 'review')
  if (agent === undefined) throw new Error(`job ${job.id} has no agent ${job.plan.reviewer} to review`)
  const earlier = (await records.attempts.listOfTask(task.id)).filter(
    ({ purpose }) => purpose.type === 'review',
  )
  const attempt = newAttempt(needs, {
    job,
    purpose: { type: 'review', taskId: task.id },
    role: ROLE_FOR.review,
    number: earlier.length + 1,
    agent,
    head: tip,
  })
  const waiter = attemptWaiter(job, attempt, {
    id: attempt.sessionId,
    priority: task.priority,
    since: attempt.createdAt,
    isResume: false,
  })
  const admission = await decideStart(needs, records, waiter)
  const reviewEvent = admission.type === 'admitted' ? reviewStarted : reviewDelayed
  await insertAttempt(needs, records, {
    attempt,
    admission,
    events: [reviewEvent(task, attempt, omissions)],
  })
  const state = nextTaskState(task.state, { type: 'review-start', attemptId: attempt.id })
  if (!state.ok) throw new Error(`task ${task.id} cannot be reviewed from ${task.state.type}`)
  await records.tasks.save(
    { ...task, state: state.value },
    {
      audit: {
        actor: 'engine',
        action: 'task-review',
        subject: task.id,
        detail: { attempt: attempt.number, tip },
      },
      // The worker's slot is free for another task.
      follow: [{ type: 'job-advance', jobId: task.jobId }],
    },
  )
  needs.crash.reach('review.before-ask')
}
