import type { AttemptId, ProjectId, SessionId } from '../domain/id.ts'
import type { Result } from '../domain/result.ts'

/** A person's repository as seen from outside, without running git in its checkout. */
export type SourceRepository = {
  /** Absolute path of the repository's root (of the checkout, or of the bare repository). */
  readonly path: string
  readonly isBare: boolean
  readonly head: { readonly commit: string; readonly branch?: string }
}

export type SourceFailure =
  | { readonly type: 'path-missing'; readonly path: string }
  | { readonly type: 'not-a-repository'; readonly path: string }
  | { readonly type: 'no-commits'; readonly path: string }
  | { readonly type: 'repository-unreadable'; readonly path: string; readonly problem: string }
  | GitFailure

export type ImportFailure = SourceFailure | { readonly type: 'base-missing'; readonly branch: string }

/** Git itself is not usable: absent, too old, out of disk. */
export type GitFailure =
  | { readonly type: 'git-missing' }
  | { readonly type: 'git-too-old'; readonly version: string; readonly needed: string }
  | { readonly type: 'disk-full'; readonly path: string }
  | { readonly type: 'git-failed'; readonly command: string; readonly problem: string }

export type ImportedBase = { readonly branch: string; readonly commit: string }

export type BatchRequest = {
  readonly onto: string
  /** What is to come in, in this order. */
  readonly tips: readonly string[]
  /** The message of the one commit, told which of the tips are in it. */
  readonly messageOf: (merged: readonly string[]) => string
}

/** One commit on top of `onto` that brings in every tip that could be merged; `onto` itself when none could. */
export type BatchMerge = {
  readonly commit: string
  readonly tree: string
  readonly merged: readonly string[]
  /** Left out: what they change was changed otherwise in `onto`, or by a tip before them. */
  readonly conflicts: readonly { readonly tip: string; readonly paths: readonly string[] }[]
  /** Left out: all they bring is in `onto`, or in a tip before them, already. */
  readonly contained: readonly string[]
}

/** A conflicted file as a merge leaves it, with both sides between markers; cut when it is long. */
export type ConflictedFile = { readonly path: string; readonly text: string }

export type FileChange = {
  readonly path: string
  readonly added: number
  readonly removed: number
  readonly isBinary: boolean
  /** Absent when it is the same file with other content. `retyped`: a file became a link, for example. */
  readonly status?: 'added' | 'deleted' | 'renamed' | 'retyped'
  /** What a renamed file was called. */
  readonly from?: string
  /** Permissions that were changed, as in 644 and 755. */
  readonly mode?: { readonly from: string; readonly to: string }
  /** It is, or was when it is deleted, a symbolic link. */
  readonly isLink?: true
}

export type TreeDiff = {
  readonly files: readonly FileChange[]
  /** Unified, for reading; cut at the limit that was asked for, long files first, so that each is seen. */
  readonly patch: string
  readonly isCut: boolean
}

export type TreeRequest = {
  readonly project: ProjectId
  readonly directory: string
  readonly commit: string
  /** Checked out in the new tree; made there at `commit`. */
  readonly branch: string
  /** Files of the person's checkout that a tree needs and git does not have. */
  readonly copies?: TreeCopies
}

/** Paths relative to the directory `from`. What is absent, no file, or in the tree already is left out. */
export type TreeCopies = { readonly from: string; readonly paths: readonly string[] }

export type WarmRequest = {
  readonly project: ProjectId
  readonly commit: string
  readonly count: number
}

export type CollectRequest = {
  readonly project: ProjectId
  /** What it is pinned under: an attempt, or a session that belongs to none. */
  readonly attemptId: AttemptId | SessionId
  readonly directory: string
  /** Where the attempt started. */
  readonly base: string
  readonly message: string
  /** Paths that were copied into the tree and are never taken out of it. */
  readonly exclude?: readonly string[]
}

/** What an attempt left, pinned under refs/muster/attempts/<id>. */
export type Collected = {
  readonly tip: string
  /** True when uncommitted work was found and committed on top of the agent's own commits. */
  readonly committedForAgent: boolean
  readonly commits: readonly string[]
  readonly files: readonly string[]
  /** Those of `exclude` that a commit has touched, even if a later one took them out again: they must not go anywhere. */
  readonly committedCopies: readonly string[]
  /** Things that could not be taken along, in words: nested repositories, for example. */
  readonly omissions: readonly string[]
}

export type RepositoryOverview = {
  readonly files: readonly string[]
  /** Counted up to a million. */
  readonly totalFiles: number
  readonly recentCommits: readonly string[]
  /** What differs from the base that was asked about; empty without one. */
  readonly changedFiles: readonly string[]
}

/** Something that is no file has the path, or one above it: a commit of the file would delete that. */
export type PathTaken = { readonly type: 'path-taken'; readonly path: string }

export type DeliveryFailure =
  | { readonly type: 'branch-checked-out'; readonly branch: string; readonly at: string }
  | { readonly type: 'branch-diverged'; readonly branch: string }
  | { readonly type: 'delivery-failed'; readonly branch: string; readonly problem: string }
  | GitFailure

/**
 * Muster's own bare repository of each project, and the private working trees made from it.
 *
 * Contract: git runs only in the hub, in a tree that no agent has seen yet, or, for `deliver`, on the git
 * directory of the person's repository without its checkout. Nothing written by an agent or found in a
 * repository is ever executed. Every method may be called again after a death at any point inside it and
 * then does what the first call would have done. Branches move by compare-and-swap only.
 */
export interface Hub {
  inspect(path: string): Promise<Result<SourceRepository, SourceFailure>>
  /** Makes the hub if there is none and brings in `base` (a branch name), or HEAD when absent. */
  importBase(
    project: ProjectId,
    source: SourceRepository,
    base: string | undefined,
  ): Promise<Result<ImportedBase, ImportFailure>>
  branchTip(project: ProjectId, branch: string): Promise<string | undefined>
  treeOf(project: ProjectId, commit: string): Promise<string | undefined>
  isAncestor(project: ProjectId, ancestor: string, descendant: string): Promise<boolean>
  /** Moves `branch` to `to` only if it is at `from` (absent: only if it does not exist). */
  moveBranch(
    project: ProjectId,
    branch: string,
    to: string,
    from: string | undefined,
  ): Promise<Result<void, { readonly type: 'branch-moved' } | GitFailure>>
  /** Takes a warm tree where there is one. */
  openTree(request: TreeRequest): Promise<Result<void, GitFailure>>
  /**
   * Keeps `count` unused trees of the project checked out at `commit`, beside `treesDirectory`, for `openTree` to take; 0
   * removes them. A tree that was taken never comes back.
   */
  warmTrees(request: WarmRequest): Promise<Result<void, GitFailure>>
  collect(request: CollectRequest): Promise<Result<Collected, GitFailure>>
  /** The files of `commit` that are no longer what they are in it, in a tree that was opened at it. */
  alteredFiles(
    project: ProjectId,
    directory: string,
    commit: string,
  ): Promise<Result<readonly string[], GitFailure>>
  /**
   * Removes a tree, unless `isUnused`, asked while nobody can open it, says that somebody came. The caller has
   * collected it, or nobody has worked in it. Absent is no error.
   */
  removeTree(directory: string, isUnused?: () => Promise<boolean>): Promise<void>
  mergeBatch(project: ProjectId, request: BatchRequest): Promise<Result<BatchMerge, GitFailure>>
  /** The files in which `tip` and `onto` conflict, with both sides in them; bounded. */
  conflictedFiles(
    project: ProjectId,
    onto: string,
    tip: string,
  ): Promise<Result<readonly ConflictedFile[], GitFailure>>
  /** The newest commit that both have; undefined when they have none in common. */
  mergeBase(project: ProjectId, one: string, other: string): Promise<string | undefined>
  diff(
    project: ProjectId,
    from: string,
    to: string,
    maxPatchBytes: number,
  ): Promise<Result<TreeDiff, GitFailure>>
  /** A commit on top of `parent` with these whole files (path to text), made without a checkout. */
  commitFiles(
    project: ProjectId,
    parent: string,
    files: Readonly<Record<string, string>>,
    message: string,
  ): Promise<Result<string, PathTaken | GitFailure>>
  /** The text of a file, cut when it is longer than four megabytes. */
  readFile(project: ProjectId, commit: string, path: string): Promise<string | undefined>
  /** Paths of the files below a directory of a commit; bounded, and empty when there is none. */
  listFiles(project: ProjectId, commit: string, directory: string): Promise<readonly string[]>
  overview(project: ProjectId, commit: string, base?: string): Promise<Result<RepositoryOverview, GitFailure>>
  /**
   * Brings `branch` of the hub, or this commit as `branch`, into the person's repository by fast-forward; never
   * touches a checkout. With `expected` the person's branch must be there: anywhere else, or gone, it has diverged.
   */
  deliver(
    project: ProjectId,
    source: string,
    branch: string,
    commit?: string,
    expected?: string,
  ): Promise<Result<void, DeliveryFailure>>
}
