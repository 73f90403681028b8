import type { CycleId, TaskId } from '../id.ts'

/** What an attempt is for. */
export type AttemptPurpose =
  /** Finds the tasks of a cycle. */
  | { readonly type: 'discovery'; readonly cycleId: CycleId }
  /** Does a task. */
  | { readonly type: 'task'; readonly taskId: TaskId }
  /** Judges the work on a task: the attempt's base commit. */
  | { readonly type: 'review'; readonly taskId: TaskId }

/** The role that takes each kind of attempt, unless the attempt names another. */
export const ROLE_FOR = {
  discovery: 'planner',
  task: 'worker',
  review: 'reviewer',
} as const satisfies Record<AttemptPurpose['type'], string>

/** The task an attempt works on or judges; undefined for a discovery. */
export function taskIdOf({ purpose }: { readonly purpose: AttemptPurpose }): TaskId | undefined {
  return 'taskId' in purpose ? purpose.taskId : undefined
}
