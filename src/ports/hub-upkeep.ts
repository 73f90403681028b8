import type { ProjectId } from '../domain/id.ts'
import type { GitFailure } from '../domain/repository/repository-failure.ts'
import type { Result } from '../domain/result.ts'

/**
 * Frees the space of objects in a hub that nothing needs.
 *
 * Contract: removes only objects that neither a ref nor a needed commit reaches, and none younger than a day, which a
 * running git may be about to use. Working trees borrow objects, so the caller makes sure that there are none; `isIdle`
 * is called while no base can be imported. A crash at any point leaves the hub intact.
 */
export interface HubUpkeep {
  /** How many bytes a compaction frees at most. */
  measure(project: ProjectId, needed: readonly string[]): Promise<Result<number, GitFailure>>
  /** Returns how many bytes that freed; undefined if the project was not idle, and nothing was done. */
  compact(
    project: ProjectId,
    needed: readonly string[],
    isIdle: () => Promise<boolean>,
  ): Promise<Result<number | undefined, GitFailure>>
}
