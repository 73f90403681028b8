import type { TaskState } from './task-state.ts'

const WORDS = {
  pending: 'has not started',
  running: 'is running',
  review: 'is being reviewed',
  landing: 'is landing',
  completed: 'landed',
  failed: 'failed',
  blocked: 'is blocked',
  skipped: 'was skipped',
} as const satisfies Record<TaskState['type'], string>

/** The state of a task after its name in a sentence: "failed", "is blocked". */
export function describeTaskState({ type }: TaskState): string {
  return WORDS[type]
}
