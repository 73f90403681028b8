import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { AttemptFailure } from '../../domain/attempt/judge-attempt.ts'
import { attemptRetried } from '../../domain/event/task-events.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import { suggestionFor } from '../../domain/task/suggestion-for.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { awaitedTask } from './attempt-task.ts'
import { blockTask } from './block-task.ts'
import { storeOutcome } from './store-outcome.ts'

type Needs = Pick<EngineNeeds, 'clock'>

/** Rejects a failed attempt. Its task is retried, or blocked if it has used up its attempts. Only failures count. */
export async function rejectTask(
  needs: Needs,
  records: Records,
  job: Job,
  attempt: Attempt,
  { cause, reason, detail = reason }: AttemptFailure,
): Promise<void> {
  const task = await awaitedTask(records, attempt)
  if (task === undefined) return storeOutcome(records, attempt, { type: 'cancelled' })
  await storeOutcome(records, attempt, { type: 'rejected', reason })
  const tries = task.retryCount + 1
  if (tries < job.plan.limits.maxAttempts)
    return retryTask(records, { ...task, lastFailure: detail }, attempt, reason)
  const suggestion = suggestionFor({ type: cause, taskId: task.id })
  await blockTask(needs, records, { ...task, lastFailure: detail }, attempt, {
    type: 'attempt-exhausted',
    reason: tries === 1 ? reason : `${tries} attempts failed; the last one: ${reason}`,
    suggestion,
  })
}

async function retryTask(records: Records, task: Task, attempt: Attempt, reason: string): Promise<void> {
  const state = nextTaskState(task.state, { type: 'attempt-retry' })
  if (!state.ok) return
  await records.tasks.save(
    { ...task, state: state.value, retryCount: task.retryCount + 1 },
    {
      audit: { actor: 'engine', action: 'task-retry', subject: task.id, detail: { attempt: attempt.number } },
      events: [attemptRetried(task, attempt, reason)],
      follow: [{ type: 'job-advance', jobId: task.jobId }],
    },
  )
}
