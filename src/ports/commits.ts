import type { ProjectId } from '../domain/id.ts'
import type { GitFailure } from '../domain/repository/repository-failure.ts'
import type { Result } from '../domain/result.ts'

export type BatchRequest = {
  readonly onto: string
  /** The commits to merge, in this order. */
  readonly tips: readonly string[]
  /** The message of the merge commit, given the tips it contains. */
  readonly messageOf: (merged: readonly string[]) => string
}

/** One commit on top of `onto` with every tip that could be merged; `onto` itself if none could. */
export type BatchMerge = {
  readonly commit: string
  readonly tree: string
  readonly merged: readonly string[]
  /** Left out because they conflict with `onto` or with an earlier tip. */
  readonly conflicts: readonly { readonly tip: string; readonly paths: readonly string[] }[]
  /** Left out because `onto` or an earlier tip already contains all of them. */
  readonly contained: readonly string[]
}

/** A conflicted file after a merge, with both sides between markers; cut if it is long. */
export type ConflictedFile = { readonly path: string; readonly text: string }

export type TreeRequest = {
  readonly from: string
  readonly parents: readonly string[]
  readonly message: string
}

/** The path, or one above it, is not a file: committing the file would delete what is there. */
export type PathTaken = { readonly type: 'path-taken'; readonly path: string }

/**
 * Creates commits in a project's hub, without a checkout.
 *
 * Contract: the same request always creates the same commit, so repeating a call after a crash is harmless. No branch
 * moves, so a commit has no effect until a branch points to it. No merge driver or other program of a repository runs.
 */
export interface Commits {
  mergeBatch(project: ProjectId, request: BatchRequest): Promise<Result<BatchMerge, GitFailure>>
  /** The files in which `tip` and `onto` conflict, with both sides; bounded. */
  conflictedFiles(
    project: ProjectId,
    onto: string,
    tip: string,
  ): Promise<Result<readonly ConflictedFile[], GitFailure>>
  /** A commit with all files of the commit `from`, and with other parents. */
  commitTree(project: ProjectId, request: TreeRequest): Promise<Result<string, GitFailure>>
  /** Commits these whole files (path to text, or null to remove the file) on top of `parent`. */
  commitFiles(
    project: ProjectId,
    parent: string,
    files: Readonly<Record<string, string | null>>,
    message: string,
  ): Promise<Result<string, PathTaken | GitFailure>>
}
