import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { NewEvent } from '../../domain/event/job-event.ts'
import type { Records } from '../../ports/store/store.ts'

/** The cycle and the task in whose part of the job's log an attempt belongs. */
export async function findAttemptPlace(
  { tasks, cycles }: Pick<Records, 'tasks' | 'cycles'>,
  { purpose }: Attempt,
): Promise<Pick<NewEvent, 'cycle' | 'taskId'>> {
  if (purpose.type === 'discovery') {
    const cycle = await cycles.find(purpose.cycleId)
    return cycle === undefined ? {} : { cycle: cycle.number }
  }
  const task = await tasks.find(purpose.taskId)
  return { taskId: purpose.taskId, ...(task === undefined ? {} : { cycle: task.cycleNumber }) }
}
