import type { Attempt } from '../../domain/attempt/attempt.ts'
import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { Task } from '../../domain/task/task.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** The task that an attempt works on or judges. */
export async function taskOf(needs: Pick<EngineNeeds, 'store'>, attempt: Attempt): Promise<Task> {
  const taskId = taskIdOf(attempt)
  const task = taskId === undefined ? undefined : await needs.store.read.tasks.find(taskId)
  if (task === undefined) throw new Error(`attempt ${attempt.id} of a ${attempt.role} has no task`)
  return task
}
