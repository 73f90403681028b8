import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { EventPlace } from '../../domain/event/event-place.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'

type CycleAndTask = {
  /** Where their events belong in the job's log. */
  readonly place: Required<Pick<EventPlace, 'cycle'>> & Pick<EventPlace, 'taskId'>
  readonly task?: Task
}

/** An attempt's cycle and, if it has one, its task. */
export async function findCycleAndTask(
  { tasks, cycles }: Pick<Records, 'tasks' | 'cycles'>,
  { purpose }: Attempt,
): Promise<CycleAndTask | undefined> {
  if (purpose.type === 'discovery') {
    const cycle = await cycles.find(purpose.cycleId)
    return cycle === undefined ? undefined : { place: { cycle: cycle.number } }
  }
  const task = await tasks.find(purpose.taskId)
  if (task === undefined) return undefined
  return { place: { cycle: task.cycleNumber, taskId: task.id }, task }
}
