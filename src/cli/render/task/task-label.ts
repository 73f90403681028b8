import type { WireTask } from '../../../contract/task.ts'

/** The short name of a task within its job: cycle and number. */
export function taskLabel(task: Pick<WireTask, 'cycleNumber' | 'number'>): string {
  return `t${task.cycleNumber}-${task.number}`
}
