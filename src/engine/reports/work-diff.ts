import type { GitFailure } from '../../ports/git-failure.ts'
import type { TreeDiff } from '../../ports/history.ts'

/** What a person should look at: the change of one task, of one job, or of what waits for their word. */
export type WorkDiff = TreeDiff & {
  readonly subject: string
  readonly from: string
  readonly to: string
  /** Where git has both commits, so that the whole can be looked at. */
  readonly gitDirectory: string
  /** Files that are changed and not listed. */
  readonly omittedFiles: number
}

export type DiffFailure =
  | { readonly type: 'not-found'; readonly what: string; readonly id: string }
  | { readonly type: 'no-work'; readonly subject: string; readonly problem: string }
  | GitFailure
