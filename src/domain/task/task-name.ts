import type { Task } from './task.ts'

/** The short name of a task within its job, from its cycle and number: t1-2. */
export function taskName({ cycleNumber, number }: Pick<Task, 'cycleNumber' | 'number'>): string {
  return `t${cycleNumber}-${number}`
}
