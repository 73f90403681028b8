import type { Attempt } from '../../domain/attempt/attempt.ts'
import { judgeAttempt } from '../../domain/attempt/judge-attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Landing } from '../../domain/landing/landing.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Collected } from '../../ports/hub.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeOutcome } from './store-outcome.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'ids'>

export type EndedWork = {
  readonly job: Job
  readonly attempt: Attempt
  readonly collected: Collected
  readonly answer: unknown
}

/** "Done" is a claim: it becomes a landing only if there is something to land. */
export async function settleTask(needs: Needs, records: Records, work: EndedWork): Promise<void> {
  const { job, attempt, collected, answer } = work
  const task = await wantedTask(records, attempt)
  if (task === undefined || attempt.state.type !== 'ended') {
    return storeOutcome(records, attempt, { type: 'cancelled' })
  }
  const verdict = judgeAttempt(attempt.state, collected.files.length)
  if (verdict.type === 'rejected') return rejectTask(needs, records, job, attempt, verdict.reason)
  await storeOutcome(records, attempt, verdict)
  await queueLanding(needs, records, task, attempt, collected, answer)
}

/** A failed attempt: its task is tried again, or has failed. */
export async function rejectTask(
  needs: Needs,
  records: Records,
  job: Job,
  attempt: Attempt,
  reason: string,
): Promise<void> {
  const task = await wantedTask(records, attempt)
  if (task === undefined) return storeOutcome(records, attempt, { type: 'cancelled' })
  await storeOutcome(records, attempt, { type: 'rejected', reason })
  if (attempt.number < job.plan.limits.maxAttempts) return retryTask(records, task, attempt, reason)
  await failTask(needs, records, task, attempt, reason)
}

/** The attempt's task, if it still waits for this attempt. */
async function wantedTask(records: Records, attempt: Attempt): Promise<Task | undefined> {
  const task = attempt.taskId === undefined ? undefined : await records.tasks.find(attempt.taskId)
  return task?.state.type === 'running' && task.state.attemptId === attempt.id ? task : undefined
}

async function queueLanding(
  needs: Needs,
  records: Records,
  task: Task,
  attempt: Attempt,
  collected: Collected,
  answer: unknown,
): Promise<void> {
  const now = needs.clock.now()
  const job = await records.jobs.find(task.jobId)
  const landing: Landing = {
    id: needs.ids.next('landing'),
    jobId: task.jobId,
    taskId: task.id,
    attemptId: attempt.id,
    branch: job?.workingBranch ?? '',
    tip: collected.tip,
    state: { type: 'queued' },
    checks: [],
    version: 1,
    createdAt: now,
  }
  await records.landings.insert(landing, {
    audit: { actor: 'engine', action: 'landing-queue', subject: landing.id, detail: { tip: collected.tip } },
    events: [
      {
        type: 'landing_queued',
        jobId: task.jobId,
        cycle: task.cycleNumber,
        taskId: task.id,
        attemptId: attempt.id,
        data: { number: task.number, landingId: landing.id, omissions: collected.omissions },
      },
    ],
    follow: [
      { type: 'landing-advance', jobId: task.jobId },
      { type: 'job-advance', jobId: task.jobId },
    ],
  })
  const state = nextTaskState(task.state, { type: 'landing-request', landingId: landing.id })
  if (!state.ok) throw new Error(`task ${task.id} cannot land from ${task.state.type}`)
  await records.tasks.save(
    {
      ...task,
      state: state.value,
      resultSummary: summaryOf(answer) ?? `${collected.files.length} files changed`,
      filesModified: collected.files,
      commitsMade: collected.commits,
    },
    {
      audit: {
        actor: 'engine',
        action: 'task-land',
        subject: task.id,
        detail: { files: collected.files.length },
      },
    },
  )
}

function summaryOf(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('summary' in answer)) return undefined
  return typeof answer.summary === 'string' ? answer.summary.slice(0, 2000) : undefined
}

async function retryTask(records: Records, task: Task, attempt: Attempt, reason: string): Promise<void> {
  const state = nextTaskState(task.state, { type: 'attempt-retry' })
  if (!state.ok) return
  await records.tasks.save(
    { ...task, state: state.value, retryCount: task.retryCount + 1, lastFailure: reason },
    {
      audit: { actor: 'engine', action: 'task-retry', subject: task.id, detail: { attempt: attempt.number } },
      events: [
        {
          type: 'task_progress',
          jobId: task.jobId,
          cycle: task.cycleNumber,
          taskId: task.id,
          attemptId: attempt.id,
          data: {
            number: task.number,
            message: `attempt ${attempt.number} failed and is tried again: ${reason}`,
          },
        },
      ],
      follow: [{ type: 'job-advance', jobId: task.jobId }],
    },
  )
}

async function failTask(
  needs: Needs,
  records: Records,
  task: Task,
  attempt: Attempt,
  reason: string,
): Promise<void> {
  const state = nextTaskState(task.state, { type: 'attempt-exhausted', reason })
  if (!state.ok) return
  await records.tasks.save(
    { ...task, state: state.value, lastFailure: reason, completedAt: needs.clock.now() },
    {
      audit: { actor: 'engine', action: 'task-fail', subject: task.id, detail: { attempts: attempt.number } },
      events: [
        {
          type: 'task_failed',
          jobId: task.jobId,
          cycle: task.cycleNumber,
          taskId: task.id,
          attemptId: attempt.id,
          data: { number: task.number, status: 'failed', error: reason },
        },
      ],
      follow: [{ type: 'job-advance', jobId: task.jobId }],
    },
  )
}
