import type { ProjectId } from '../domain/id.ts'
import type { WorkSize } from '../domain/landing/unusual-work.ts'
import type { FileChange } from '../domain/repository/file-change.ts'
import type { GitFailure } from '../domain/repository/repository-failure.ts'
import type { Result } from '../domain/result.ts'

export type TreeDiff = {
  readonly files: readonly FileChange[]
  /** A unified diff for people. Cut to the requested size, long files first, so that every file is included. */
  readonly patch: string
  readonly isCut: boolean
}

export type RepositoryOverview = {
  readonly files: readonly string[]
  /** Counted up to a million. */
  readonly totalFiles: number
  readonly recentCommits: readonly string[]
  /** Files that differ from the given base; empty without one. */
  readonly changedFiles: readonly string[]
}

/**
 * What the commits in a project's hub contain and how they relate.
 *
 * Contract: read-only. Results are bounded whatever the repository contains, and no filter, driver or program that a
 * repository names ever runs. A query about a commit that the hub lacks returns undefined, false or a failure; it never
 * throws.
 */
export interface History {
  treeOf(project: ProjectId, commit: string): Promise<string | undefined>
  isAncestor(project: ProjectId, ancestor: string, descendant: string): Promise<boolean>
  /** The newest commit that both have in common. */
  mergeBase(project: ProjectId, one: string, other: string): Promise<string | undefined>
  diff(
    project: ProjectId,
    from: string,
    to: string,
    maxPatchBytes: number,
  ): Promise<Result<TreeDiff, GitFailure>>
  /** How much differs between two commits. Counts everything; its lists stop at ten thousand files. */
  measure(project: ProjectId, from: string, to: string): Promise<Result<WorkSize, GitFailure>>
  /** The text of a file, cut after four megabytes. */
  readFile(project: ProjectId, commit: string, path: string): Promise<string | undefined>
  /** Paths of the files below a directory of a commit. */
  listFiles(project: ProjectId, commit: string, directory: string): Promise<readonly string[]>
  overview(project: ProjectId, commit: string, base?: string): Promise<Result<RepositoryOverview, GitFailure>>
}
