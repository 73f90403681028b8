import type { ProjectId } from '../domain/id.ts'
import type {
  DeliveryFailure,
  GitFailure,
  ImportFailure,
  RepositoryMoved,
  SnapshotFailure,
  SourceFailure,
} from '../domain/repository/repository-failure.ts'
import type { Result } from '../domain/result.ts'

/** A person's repository as seen from outside, without running git in its checkout. */
export type SourceRepository = {
  /** Absolute path of the repository's root (of the checkout, or of the bare repository). */
  readonly path: string
  readonly isBare: boolean
  readonly head: { readonly commit: string; readonly branch?: string }
}

export type SnapshotRequest = {
  readonly source: SourceRepository
  /** The commit that is checked out, already imported. */
  readonly head: string
  /** Paths that are never part of a commit. */
  readonly exclude: readonly string[]
}

/** The uncommitted changes of a checkout as one commit on top of `head`. */
export type Snapshot = {
  readonly commit: string
  readonly head: string
  /** The files that differ from `head`, at most ten thousand. */
  readonly files: readonly string[]
  /** Submodules that are checked out. What was changed inside them is not part of the commit. */
  readonly submodules: readonly string[]
}

export type ImportedBase = { readonly branch: string; readonly commit: string }

/**
 * Branches in the hub, Muster's own bare repository of a project, and in the person's repository.
 *
 * Contract: branches move only by compare-and-swap. The person's repository is read as any other machine would read it;
 * only `deliver` and `removeFrom` write to it, to its git directory and never to a checkout, and run none of its hooks or
 * programs.
 * Every base that was ever imported stays in the hub. Every method can be called again after a crash inside it, and
 * then does what the first call would have done.
 */
export interface Branches {
  inspectSource(path: string): Promise<Result<SourceRepository, SourceFailure>>
  /** The repository of an earlier job. It must be at this path itself, not around it. */
  reopenSource(path: string): Promise<Result<SourceRepository, SourceFailure | RepositoryMoved>>
  /** Creates the project's hub if there is none, and imports `base` (a branch name), or HEAD if it is absent. */
  importBase(
    project: ProjectId,
    source: SourceRepository,
    base: string | undefined,
  ): Promise<Result<ImportedBase, ImportFailure>>
  /**
   * Commits the files of the person's checkout as they are, without those that git ignores, in the hub and nowhere
   * else. Undefined if there is nothing to commit.
   */
  snapshot(
    project: ProjectId,
    request: SnapshotRequest,
  ): Promise<Result<Snapshot | undefined, SnapshotFailure>>
  /** The branch of the hub or of the person's repository that keeps `branch` from being created, if there is one. */
  findTaken(project: ProjectId, source: SourceRepository, branch: string): Promise<string | undefined>
  /** The hub's object directory, for a person's own git to read from. */
  objectsPath(project: ProjectId): string
  /** The commit that a branch of the hub points to. */
  tip(project: ProjectId, branch: string): Promise<string | undefined>
  /** Moves a branch of the hub to `to` if it is at `from` (undefined: if it does not exist). */
  move(
    project: ProjectId,
    branch: string,
    to: string,
    from: string | undefined,
  ): Promise<Result<void, { readonly type: 'branch-moved' } | GitFailure>>
  /**
   * Fast-forwards a branch in the person's repository to `branch` of the hub, or to `commit`. With `expected`, the
   * person's branch must be at that commit; anywhere else, or deleted, it has diverged.
   */
  deliver(
    project: ProjectId,
    source: string,
    branch: string,
    commit?: string,
    expected?: string,
  ): Promise<Result<void, DeliveryFailure>>
  /** Deletes a branch of the hub, wherever it is. Its commits stay until the hub is compacted. */
  drop(project: ProjectId, branch: string): Promise<Result<void, GitFailure>>
  /** Stops keeping a snapshot that no job needs. */
  dropSnapshot(project: ProjectId, commit: string): Promise<Result<void, GitFailure>>
  /** The commit that a branch of the person's repository points to. */
  tipIn(source: string, branch: string): Promise<string | undefined>
  /**
   * Those of the commits that a branch, a remote-tracking branch or a tag of the person's repository contains; none if
   * there is no repository. The branch `except` doesn't count.
   */
  findContained(source: string, commits: readonly string[], except?: string): Promise<ReadonlySet<string>>
  /**
   * The commit at which a branch of the person's repository can be deleted without losing theirs: it is the one that
   * was delivered, or other branches contain it. Undefined if there is no such branch, or no repository.
   */
  findRemovable(
    source: string,
    branch: string,
    delivered: string,
  ): Promise<Result<string | undefined, Exclude<DeliveryFailure, RepositoryMoved>>>
  /** Deletes a branch of the person's repository if it is at this commit and not checked out. It may be gone already. */
  removeFrom(source: string, branch: string, at: string): Promise<Result<void, DeliveryFailure>>
}
