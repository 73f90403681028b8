import type { AgentSpec } from '../../domain/agent/agent-spec.ts'
import { reviewStarted } from '../../domain/event/task-events.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import { type AdmissionNeeds, decideStart } from '../admission/decide-starts.ts'
import { attemptWaiter } from '../admission/start-waiter.ts'
import { newAttempt } from '../attempts/new-attempt.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'ids' | 'crash'> & AdmissionNeeds

export type ReviewRequest = {
  readonly job: Job
  /** As it is to be stored, save for its state. */
  readonly task: Task
  /** The exact work that is looked at. */
  readonly tip: string
  readonly omissions?: readonly string[]
}

/** Lets a reviewer look at what an agent says is done, in a tree of its own at exactly that commit. */
export async function askReviewer(needs: Needs, records: Records, request: ReviewRequest): Promise<void> {
  const { job, task, tip, omissions = [] } = request
  const agent = reviewerOf(job)
  const earlier = (await records.attempts.listOfTask(task.id)).filter(
    ({ purpose }) => purpose.type === 'review',
  )
  const attempt = await newAttempt(needs, records, {
    job,
    purpose: { type: 'review', taskId: task.id },
    number: earlier.length + 1,
    agent,
    head: tip,
    admit: (made) =>
      decideStart(
        needs,
        records,
        attemptWaiter(job, made, {
          id: made.sessionId,
          priority: task.priority,
          since: made.createdAt,
          isResume: false,
        }),
      ),
    events: (made) => [reviewStarted(task, made, tip, omissions)],
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
      // Its worker has left a place to somebody else.
      follow: [{ type: 'job-advance', jobId: task.jobId }],
    },
  )
  needs.crash.reach('review.before-ask')
}

function reviewerOf(job: Job): AgentSpec {
  const { reviewer, agents } = job.plan
  const agent = agents.find(({ name }) => name === reviewer)
  if (agent === undefined) throw new Error(`job ${job.id} has no agent ${reviewer} to review`)
  return agent
}
