import type { ProjectId } from '../domain/id.ts'
import type { GitFailure } from '../domain/repository/repository-failure.ts'
import type { Result } from '../domain/result.ts'

export type FileChange = {
  readonly path: string
  readonly added: number
  readonly removed: number
  readonly isBinary: boolean
  /** Absent when only the content changed. `retyped`: a file became a link, for example. */
  readonly status?: 'added' | 'deleted' | 'renamed' | 'retyped'
  /** The old path of a renamed file. */
  readonly from?: string
  /** Changed permissions, as in 644 and 755. */
  readonly mode?: { readonly from: string; readonly to: string }
  /** It is a symbolic link, or was one before it was deleted. */
  readonly isLink?: true
}

export type TreeDiff = {
  readonly files: readonly FileChange[]
  /** Unified, for reading. Cut to the requested size, long files first, so that every file shows. */
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
 * Contract: reads only. Answers are bounded whatever the repository contains, and no filter, driver or program that a
 * repository names is executed. A question about a commit the hub does not have is answered with nothing, false or a
 * failure; it never throws.
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
  /** The text of a file, cut after four megabytes. */
  readFile(project: ProjectId, commit: string, path: string): Promise<string | undefined>
  /** Paths of the files below a directory of a commit. */
  listFiles(project: ProjectId, commit: string, directory: string): Promise<readonly string[]>
  overview(project: ProjectId, commit: string, base?: string): Promise<Result<RepositoryOverview, GitFailure>>
}
