import type { AttemptId, ProjectId, SessionId } from '../domain/id.ts'
import type { GitFailure } from '../domain/repository/repository-failure.ts'
import type { Result } from '../domain/result.ts'

/** What a pin keeps: the work of an attempt, or of a session outside any attempt. */
export type PinOwner = AttemptId | SessionId

export type Pin = {
  readonly id: PinOwner
  readonly commit: string
  /** Why the work must neither land nor be delivered, unless a person asks for it. */
  readonly refusal?: string
}

/**
 * The pins in a project's hub, which keep work that may not have landed. `WorkingTrees.collect` makes them.
 *
 * Contract: removing a pin removes a name and no objects. Every method can be called again after a crash inside it. A
 * project without a hub has no pins.
 */
export interface Pins {
  /** Newest first. */
  list(project: ProjectId): Promise<Result<readonly Pin[], GitFailure>>
  /** Pins that don't exist are ignored. */
  remove(project: ProjectId, ids: readonly PinOwner[]): Promise<Result<void, GitFailure>>
}
