import type { AttemptId, ProjectId, SessionId } from '../domain/id.ts'
import type { GitFailure } from '../domain/repository/repository-failure.ts'
import type { Result } from '../domain/result.ts'

export type TreeRequest = {
  readonly project: ProjectId
  readonly directory: string
  readonly commit: string
  /** Checked out in the new tree; created there at `commit`. */
  readonly branch: string
  /** Files of the person's checkout that a tree needs and git does not have. */
  readonly copies?: TreeCopies
}

/** Paths relative to the directory `from`. A path that is missing, is not a file, or is in the tree already is skipped. */
export type TreeCopies = { readonly from: string; readonly paths: readonly string[] }

export type WarmRequest = {
  readonly project: ProjectId
  readonly commit: string
  readonly count: number
}

export type CollectRequest = {
  readonly project: ProjectId
  /** What the work is pinned under: an attempt, or a session that belongs to none. */
  readonly attemptId: AttemptId | SessionId
  readonly directory: string
  /** The commit the attempt started from. */
  readonly base: string
  readonly message: string
  /** Paths that were copied into the tree and are never collected from it. */
  readonly exclude?: readonly string[]
}

/** What an attempt left, pinned under refs/muster/attempts/<id>. */
export type Collected = {
  readonly tip: string
  /** True when uncommitted work was found and committed on top of the agent's own commits. */
  readonly committedForAgent: boolean
  readonly commits: readonly string[]
  readonly files: readonly string[]
  /** Paths of `exclude` that any commit touched, even if a later one removed them again: the work must not be published. */
  readonly committedCopies: readonly string[]
  /** What could not be collected, in words: nested repositories, for example. */
  readonly omissions: readonly string[]
}

/**
 * The private working trees that agents and checks work in: clones that borrow the hub's objects.
 *
 * Contract: git runs in a tree only before an agent has seen it. A tree that an agent may have written is read
 * through a git directory of our own, and nothing found in it is ever executed. A tree has its name only while it is
 * complete. Nothing is removed here that was not collected or was never worked in: the caller proves that first.
 * Every method may be called again after the process died inside it and then does what the first call would have done.
 */
export interface WorkingTrees {
  /** Makes the tree, from a warm one if there is any. A tree that exists already is left as it is. */
  open(request: TreeRequest): Promise<Result<void, GitFailure>>
  /** Keeps `count` unused trees of the project checked out at `commit` for `open` to take; 0 removes them. */
  warm(request: WarmRequest): Promise<Result<void, GitFailure>>
  /** Commits what the agent left uncommitted on top of its own commits, and pins the result in the hub. */
  collect(request: CollectRequest): Promise<Result<Collected, GitFailure>>
  /** The files of `commit` that were changed or removed in a tree that was opened at it. */
  alteredFiles(
    project: ProjectId,
    directory: string,
    commit: string,
  ): Promise<Result<readonly string[], GitFailure>>
  /** Removes a tree unless `isUnused`, called while nobody can open the tree, returns false. A missing tree is not an error. */
  remove(directory: string, isUnused?: () => Promise<boolean>): Promise<void>
}
