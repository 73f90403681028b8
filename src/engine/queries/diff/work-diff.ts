import type { ProjectId } from '../../../domain/id.ts'
import type { GitFailure } from '../../../domain/repository/repository-failure.ts'
import type { TreeDiff } from '../../../ports/history.ts'
import type { WorkingTrees } from '../../../ports/working-trees.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import type { NotFound } from '../find-record.ts'

export type DiffNeeds = Pick<EngineNeeds, 'store' | 'branches' | 'history' | 'settings'> & {
  readonly trees: Pick<WorkingTrees, 'snapshot'>
}

/** The change of a task, of a session, of a job, or of a commit that waits for approval. */
export type WorkDiff = TreeDiff & {
  readonly subject: string
  readonly from: string
  readonly to: string
  /** The repository that has both commits, so that the whole change can be inspected. */
  readonly gitDirectory: string
  /** An agent is still at work, and this is what its tree had when it was asked. */
  readonly inProgress?: true
  /** How many changed files are not listed. */
  readonly omittedFiles: number
  /** Files that differ too but are no work: a merge leaves them out. */
  readonly leftOut?: readonly string[]
}

export type DiffFailure =
  | NotFound
  | { readonly type: 'no-work'; readonly subject: string; readonly problem: string }
  | GitFailure

/** Two commits of a project. */
export type DiffRange = {
  readonly projectId: ProjectId
  readonly from: string
  readonly to: string
  /** Whether Muster's own task list is among the files. */
  readonly hasTaskList?: boolean
  /** Whether `to` is a snapshot of work that isn't finished. */
  readonly isInProgress?: true
}
