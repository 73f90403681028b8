import type { ProjectId } from '../domain/id.ts'
import type { GitFailure } from '../domain/repository/repository-failure.ts'
import type { Result } from '../domain/result.ts'

/** The refs of a hub and the objects they name. */
export type HubRefs = Readonly<Record<string, string>>

export type HubCopy = {
  readonly refs: HubRefs
  /** The path of a file with all objects of the hub. */
  readonly pack: string
  /** The commits at which a shallow history stops. */
  readonly shallow?: Buffer
}

export type HubCheck =
  | { readonly type: 'intact' }
  | { readonly type: 'missing' }
  | { readonly type: 'damaged'; readonly problem: string }
  /** The check took too long. */
  | { readonly type: 'unknown'; readonly problem: string }

/**
 * Copies of hubs, for backups, and checks of hubs.
 *
 * Contract: copying changes nothing and blocks no one. Hubs lose objects only when they are compacted, which never
 * happens during a backup, so a pack that is made after the refs were read contains everything that they name.
 */
export interface HubCopies {
  /** The projects that have a hub. */
  list(): Promise<readonly ProjectId[]>
  refs(project: ProjectId): Promise<Result<HubRefs, GitFailure>>
  /** Writes all objects, even those that no ref names, into a new file in this directory. */
  pack(project: ProjectId, directory: string): Promise<Result<Omit<HubCopy, 'refs'>, GitFailure>>
  /** Makes a hub that doesn't exist yet. Takes the pack away from its place. */
  restore(project: ProjectId, copy: HubCopy): Promise<Result<void, GitFailure>>
  /** Whether everything that the refs name is there. */
  check(project: ProjectId): Promise<HubCheck>
}
