import { runRetried } from '../../domain/event/task-events.ts'
import type { Run } from '../../domain/run/run.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'

/**
 * Lets another run work on a planner's task whose run ended without any work, as often as the job tries its tasks.
 * Returns whether it does. A person who started a run is asked instead of a second one being paid for.
 */
export async function retryTask(records: Records, task: Task, run: Run, reason: string): Promise<boolean> {
  const job = await records.jobs.find(task.jobId)
  const state = nextTaskState(task.state, { type: 'run-retry' })
  const retryCount = task.retryCount + 1
  const isSpent = job === undefined || retryCount >= job.plan.limits.maxAttempts
  if (task.origin.type === 'given' || isSpent || !state.ok) return false
  await records.tasks.save(
    { ...task, state: state.value, retryCount, lastFailure: reason },
    {
      audit: { actor: 'engine', action: 'task-retry', subject: task.id, detail: { run: run.id } },
      events: [runRetried(task, run, reason)],
      follow: [{ type: 'job-advance', jobId: task.jobId }],
    },
  )
  return true
}
