import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { AttemptId } from '../../domain/id.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Reads } from './find-record.ts'

/** The tasks of the attempts that these records belong to, by the attempt's id. */
export async function loadAttemptTasks(
  { store }: Reads,
  records: readonly { readonly attemptId?: AttemptId }[],
): Promise<ReadonlyMap<string, Task>> {
  const attempts = await store.read.attempts.findMany(records.flatMap(({ attemptId }) => attemptId ?? []))
  const tasks = await store.read.tasks.findMany(attempts.flatMap((attempt) => taskIdOf(attempt) ?? []))
  const taskOf = new Map<string, Task>(tasks.map((task) => [task.id, task]))
  return new Map(
    attempts.flatMap((attempt) => {
      const task = taskOf.get(taskIdOf(attempt) ?? '')
      return task === undefined ? [] : [[attempt.id, task]]
    }),
  )
}
