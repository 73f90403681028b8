import type { ProjectId } from '../domain/id.ts'
import type { GitFailure } from '../domain/repository/repository-failure.ts'
import type { Result } from '../domain/result.ts'

export type BatchRequest = {
  readonly onto: string
  /** The commits to merge, in this order. */
  readonly tips: readonly string[]
  /** The message of the one commit, given the tips that are in it. */
  readonly messageOf: (merged: readonly string[]) => string
}

/** One commit on top of `onto` with every tip that could be merged; `onto` itself when none could. */
export type BatchMerge = {
  readonly commit: string
  readonly tree: string
  readonly merged: readonly string[]
  /** Left out because they conflict with `onto` or with a tip before them. */
  readonly conflicts: readonly { readonly tip: string; readonly paths: readonly string[] }[]
  /** Left out because everything they bring is in `onto`, or in a tip before them, already. */
  readonly contained: readonly string[]
}

/** A conflicted file as a merge leaves it, with both sides between markers; cut when it is long. */
export type ConflictedFile = { readonly path: string; readonly text: string }

/** The path, or one above it, is not a file: committing the file would delete what is there. */
export type PathTaken = { readonly type: 'path-taken'; readonly path: string }

/**
 * New commits in a project's hub, made without a checkout.
 *
 * Contract: the same request always makes the same commit, so a call repeated after a crash is harmless. No branch
 * moves: a commit that nobody points a branch at has no effect. No merge driver or program of a repository is executed.
 */
export interface Commits {
  mergeBatch(project: ProjectId, request: BatchRequest): Promise<Result<BatchMerge, GitFailure>>
  /** The files in which `tip` and `onto` conflict, with both sides in them; bounded. */
  conflictedFiles(
    project: ProjectId,
    onto: string,
    tip: string,
  ): Promise<Result<readonly ConflictedFile[], GitFailure>>
  /** A commit on top of `parent` with these whole files (path to text). */
  commitFiles(
    project: ProjectId,
    parent: string,
    files: Readonly<Record<string, string>>,
    message: string,
  ): Promise<Result<string, PathTaken | GitFailure>>
}
