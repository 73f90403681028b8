import type { Waiting } from '../admission/refusal.ts'
import type { AttemptId, LandingId, RunId } from '../id.ts'

export type TaskState =
  /** `waiting`: only a limit keeps it from starting. Absent while it waits for other tasks. */
  | { readonly type: 'pending'; readonly waiting?: Waiting }
  | { readonly type: 'running'; readonly attemptId: AttemptId }
  /** A run of a playbook works on it. `review`: the run is at a stage that judges what was made. */
  | { readonly type: 'running' | 'review'; readonly runId: RunId }
  | { readonly type: 'landing'; readonly landingId: LandingId }
  /** `commit`: what landed; absent if its result is documents. */
  | { readonly type: 'completed'; readonly commit?: string }
  | {
      readonly type: 'failed'
      readonly reason: string
      readonly suggestion?: string
      /** A person denied its work, so it's left out on purpose. Absent in tasks stored before this field existed. */
      readonly isDenied?: true
    }
  /** It can't continue on its own. The reason is one line; the suggestion says what a person can do. */
  | {
      readonly type: 'blocked'
      readonly reason: string
      readonly paths: readonly string[]
      readonly suggestion?: string
    }
  | { readonly type: 'skipped'; readonly reason: string }

/** The commit that a task's work landed as. */
export function landedCommit(state: TaskState): string | undefined {
  return state.type === 'completed' ? state.commit : undefined
}

/** The attempt that does a task. */
export function attemptOf(state: TaskState): AttemptId | undefined {
  return 'attemptId' in state ? state.attemptId : undefined
}

/** The run that works on a task. */
export function runIdOf(state: TaskState): RunId | undefined {
  return 'runId' in state ? state.runId : undefined
}

/** Whether a person denied the task's work. */
export function isTaskDenied(state: TaskState): boolean {
  return state.type === 'failed' && state.isDenied === true
}

export function isTaskFinished(state: TaskState): boolean {
  return (
    state.type === 'completed' ||
    state.type === 'failed' ||
    state.type === 'blocked' ||
    state.type === 'skipped'
  )
}
