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

export type Merged = { readonly commit: string; readonly tree: string }
export type MergeFailure = { readonly type: 'conflict'; readonly paths: readonly string[] } | GitFailure

export type TreeRequest = {
  readonly project: ProjectId
  readonly directory: string
  readonly commit: string
  /** Checked out in the new tree; made there at `commit`. */
  readonly branch: string
}

export type CollectRequest = {
  readonly project: ProjectId
  /** What it is pinned under: an attempt, or a session that belongs to none. */
  readonly attemptId: AttemptId | SessionId
  readonly directory: string
  /** Where the attempt started. */
  readonly base: string
  readonly message: string
}

/** What an attempt left, pinned under refs/muster/attempts/<id>. */
export type Collected = {
  readonly tip: string
  /** True when uncommitted work was found and committed on top of the agent's own commits. */
  readonly committedForAgent: boolean
  readonly commits: readonly string[]
  readonly files: readonly string[]
  /** Things that could not be taken along, in words: nested repositories, for example. */
  readonly omissions: readonly string[]
}

export type RepositoryOverview = {
  readonly files: readonly string[]
  readonly totalFiles: number
  readonly recentCommits: readonly string[]
}

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
  openTree(request: TreeRequest): Promise<Result<void, GitFailure>>
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
  merge(project: ProjectId, onto: string, tip: string, message: string): Promise<Result<Merged, MergeFailure>>
  /** A commit on top of `parent` with these whole files (path to text), made without a checkout. */
  commitFiles(
    project: ProjectId,
    parent: string,
    files: Readonly<Record<string, string>>,
    message: string,
  ): Promise<Result<string, GitFailure>>
  readFile(project: ProjectId, commit: string, path: string): Promise<string | undefined>
  /** Paths of the files below a directory of a commit; bounded, and empty when there is none. */
  listFiles(project: ProjectId, commit: string, directory: string): Promise<readonly string[]>
  overview(project: ProjectId, commit: string): Promise<Result<RepositoryOverview, GitFailure>>
  /** Brings `branch` into the person's repository by fast-forward; never touches a checkout. */
  deliver(project: ProjectId, source: string, branch: string): Promise<Result<void, DeliveryFailure>>
}
