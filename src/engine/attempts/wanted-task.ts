import type { Attempt } from '../../domain/attempt/attempt.ts'
import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'

/** The attempt's task, if it still waits for this attempt. */
export async function wantedTask(records: Records, attempt: Attempt): Promise<Task | undefined> {
  const taskId = taskIdOf(attempt)
  const task = taskId === undefined ? undefined : await records.tasks.find(taskId)
  if (task?.state.type !== 'running' && task?.state.type !== 'review') return undefined
  return task.state.attemptId === attempt.id ? task : undefined
}
