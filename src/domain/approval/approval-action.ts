import type { LandingId, RunId } from '../id.ts'
import type { FileChange } from '../repository/file-change.ts'
import type { Task } from '../task/task.ts'
import { taskName } from '../task/task-name.ts'

/** Exactly what an agent's program, the merge queue or a run wants to do. */
export type ApprovalAction = ToolUse | LandingAction | GateAction

/** An agent's program wants to use one of its tools. */
export type ToolUse = {
  readonly type: 'tool-use'
  readonly tool: string
  readonly input: unknown
  /** Why the program asks, in its own words. */
  readonly reason?: string
  readonly directory: string
}

/** The merge queue wants to move a branch to a commit that passed its checks. */
export type LandingAction = {
  readonly type: 'landing'
  /** The tasks whose work would land; none if it is about commits of the base branch. */
  readonly tasks: readonly LandingTask[]
  /** The base branch whose new commits would land. */
  readonly base?: string
  readonly branch: string
  readonly onto: string
  readonly commit: string
  readonly tree: string
  readonly landingIds: readonly LandingId[]
  /** Absent in events, which stay small. */
  readonly diff?: LandingDiff
  /** What is unusual about the work, so that a person is asked in every mode. */
  readonly unusual?: readonly string[]
  readonly reason?: string
  readonly directory: string
}

/** A run of a playbook wants to go on, or to land work that is not complete. */
export type GateAction = {
  readonly type: 'gate'
  readonly runId: RunId
  readonly playbook: string
  /** The gate, or the end that the run has come to: `end.partial`. */
  readonly stage: string
  readonly ask: string
  /** What the person is shown. Empty in events, which stay small. */
  readonly shows: readonly { readonly name: string; readonly text: string }[]
  /** It is about a stage in trouble: allowing tries again, denying gives it up, and denying can also end the run. */
  readonly isTrouble?: true
  /** The work that the answer is about. */
  readonly commit?: string
  readonly directory: string
}

/** A task whose work would land: "t1-1", "Parse weeks". */
export type LandingTask = { readonly name: string; readonly title: string }

/** The start of the change; `problem` says why it could not be read. */
export type LandingDiff = {
  readonly files: readonly FileChange[]
  readonly patch: string
  readonly isCut: boolean
  readonly problem?: string
}

export function landingTask(task: Pick<Task, 'cycleNumber' | 'number' | 'description'>): LandingTask {
  return { name: taskName(task), title: task.description.split('\n', 1)[0] ?? '' }
}
