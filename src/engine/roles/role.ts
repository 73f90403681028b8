import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'

/**
 * What an agent is asked to be. Nothing outside of the table of roles depends on a role's name.
 *
 * Contract: `prompt` is made from rows and commits alone, so a restart makes the same text again (only the random
 * boundary differs); it throws while something it needs cannot be read. `settle` is called for an attempt that has
 * ended; it reads the answer, applies it and settles the attempt in one transaction, and does nothing when another
 * call was first. It throws to be called again later.
 */
export interface Role {
  readonly name: string
  /** `read`: looks at the tree and answers; the sandbox keeps it from writing there. `write`: changes the tree. */
  readonly mode: 'read' | 'write'
  /** How long its program may fail to start before the attempt is given up. */
  readonly startPatienceMs: number
  prompt(job: Job, attempt: Attempt): Promise<string>
  settle(job: Job, attempt: Attempt): Promise<void>
}

/** Finds roles by name. */
export interface RoleTable {
  find(name: string): Role | undefined
}
