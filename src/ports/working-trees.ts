import type { AttemptId, ProjectId, SessionId } from '../domain/id.ts'
import type { GitFailure } from '../domain/repository/repository-failure.ts'
import type { Result } from '../domain/result.ts'

export type TreeRequest = {
  readonly project: ProjectId
  readonly directory: string
  readonly commit: string
  /** Created at `commit` and checked out in the new tree. */
  readonly branch: string
  /** Files of the person's checkout that a tree needs and that git doesn't track. */
  readonly copies?: TreeCopies
}

/** Paths relative to the directory `from`. Paths that are missing, not files, or already in the tree are skipped. */
export type TreeCopies = { readonly from: string; readonly paths: readonly string[] }

export type WarmRequest = {
  readonly project: ProjectId
  readonly commit: string
  readonly count: number
}

export type CollectRequest = {
  readonly project: ProjectId
  /** What the work is pinned under: an attempt, or a session outside any attempt. */
  readonly attemptId: AttemptId | SessionId
  readonly directory: string
  /** The commit the attempt started from. */
  readonly base: string
  readonly message: string
  /** Paths that were copied into the tree and are never collected from it. */
  readonly exclude?: readonly string[]
}

export type SnapshotRequest = Pick<CollectRequest, 'project' | 'directory' | 'base' | 'exclude'>

/** The work of an attempt, pinned under refs/muster/attempts/<id>. */
export type Collected = UsableWork | RefusedWork

export type UsableWork = {
  readonly type: 'usable'
  readonly tip: string
  /** Whether uncommitted work was committed on top of the agent's own commits. */
  readonly committedForAgent: boolean
  readonly commits: readonly string[]
  readonly files: readonly string[]
  /** Descriptions of what could not be collected: a file that can't be read, for example. */
  readonly omissions: readonly string[]
}

/**
 * Work that must neither land nor be delivered: its tree was incomplete, git rejects it, or one of its commits has a
 * path of `exclude`, even if a later one removed it. The pin keeps the reason (see `Pin`), and whatever is collected on
 * top of this work is refused too.
 */
export type RefusedWork = { readonly type: 'refused'; readonly tip: string; readonly reason: string }

/**
 * The private working trees in which agents and checks work: clones that borrow the hub's objects.
 *
 * Contract: git runs in a tree only before an agent has used it. A tree that an agent may have written to is read
 * through a git directory of our own, and nothing found in it ever runs. A tree has its name only while it is complete.
 * `remove` trusts the caller to have collected the work, or to know that there is none. Every method can be called
 * again after a crash inside it, and then does what the first call would have done.
 */
export interface WorkingTrees {
  /** Creates the tree, from a warm one if there is one. An existing tree stays as it is. */
  open(request: TreeRequest): Promise<Result<void, GitFailure>>
  /** Keeps `count` unused trees of the project checked out at `commit` for `open` to use; 0 removes them. */
  warm(request: WarmRequest): Promise<Result<void, GitFailure>>
  /**
   * Commits uncommitted work on top of the agent's own commits, and pins the result in the hub. Work is what the agent
   * did: files that are still as setup left them (SETUP_FILES) are left out.
   */
  collect(request: CollectRequest): Promise<Result<Collected, GitFailure>>
  /**
   * A commit on top of `base` of what is in a tree in which an agent works. Nothing is pinned, nothing in the tree is
   * changed, and trees that are too large fail.
   */
  snapshot(request: SnapshotRequest): Promise<Result<string, GitFailure>>
  /** The files of `commit` that were changed or removed in a tree opened at that commit. */
  alteredFiles(
    project: ProjectId,
    directory: string,
    commit: string,
  ): Promise<Result<readonly string[], GitFailure>>
  /** Removes a tree unless `isUnused`, called while no one can open the tree, returns false. It may already be gone. */
  remove(directory: string, isUnused?: () => Promise<boolean>): Promise<void>
}
