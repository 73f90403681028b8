import type { Attempt } from '../../domain/attempt/attempt.ts'
import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { Task } from '../../domain/task/task.ts'
import { attemptOf } from '../../domain/task/task-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** The attempt's task, if the task still waits for this attempt. */
export async function awaitedTask(records: Records, attempt: Attempt): Promise<Task | undefined> {
  const taskId = taskIdOf(attempt)
  const task = taskId === undefined ? undefined : await records.tasks.find(taskId)
  return task !== undefined && attemptOf(task.state) === attempt.id ? task : undefined
}

/** The task that an attempt works on or reviews. */
export async function taskOf(needs: Pick<EngineNeeds, 'store'>, attempt: Attempt): Promise<Task> {
  const taskId = taskIdOf(attempt)
  const task = taskId === undefined ? undefined : await needs.store.read.tasks.find(taskId)
  if (task === undefined) throw new Error(`attempt ${attempt.id} of a ${attempt.role} has no task`)
  return task
}
