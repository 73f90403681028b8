import type { ProjectId } from '../domain/id.ts'
import type {
  DeliveryFailure,
  GitFailure,
  ImportFailure,
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

export type ImportedBase = { readonly branch: string; readonly commit: string }

/**
 * Where branches are: in the hub, Muster's own bare repository of a project, and in the person's repository.
 *
 * Contract: branches move by compare-and-swap only. The person's repository is read as any other machine would read
 * it; only `deliver` writes to it, to its git directory and never to a checkout, and runs no hook or program of it.
 * Every base that was ever imported stays in the hub. Every method may be called again after the process died inside
 * it and then does what the first call would have done.
 */
export interface Branches {
  inspectSource(path: string): Promise<Result<SourceRepository, SourceFailure>>
  /** Makes the project's hub if there is none and imports `base` (a branch name), or HEAD without one. */
  importBase(
    project: ProjectId,
    source: SourceRepository,
    base: string | undefined,
  ): Promise<Result<ImportedBase, ImportFailure>>
  /** The commit that a branch of the hub is at. */
  tip(project: ProjectId, branch: string): Promise<string | undefined>
  /** Moves a branch of the hub to `to` only if it is at `from` (undefined: only if it does not exist). */
  move(
    project: ProjectId,
    branch: string,
    to: string,
    from: string | undefined,
  ): Promise<Result<void, { readonly type: 'branch-moved' } | GitFailure>>
  /**
   * Brings `branch` of the hub, or `commit` as `branch`, into the person's repository by fast-forward. With
   * `expected`, the person's branch must be at that commit; anywhere else, or deleted, it has diverged.
   */
  deliver(
    project: ProjectId,
    source: string,
    branch: string,
    commit?: string,
    expected?: string,
  ): Promise<Result<void, DeliveryFailure>>
}
