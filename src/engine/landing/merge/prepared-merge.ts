import type { BatchMerge } from '../../../ports/commits.ts'

/** What the person asked for with a merge. */
export type MergeOptions = {
  /** Whether the task list goes to the base branch too. */
  readonly withTaskList?: boolean
  /** Whether uncommitted changes that the job started from go to the base branch too. */
  readonly withUncommitted?: boolean
  /** Whether the base branch gets one commit instead of the history of the working branch. */
  readonly squash?: boolean
}

/** How the working branch can be merged into the base branch, as both are now. */
export type PreparedMerge =
  | { readonly type: 'contained'; readonly base: string }
  | { readonly type: 'fast-forward'; readonly base: string; readonly tip: string }
  /** A merge commit that has not been checked yet. */
  | { readonly type: 'commit'; readonly onto: string; readonly merged: BatchMerge }
