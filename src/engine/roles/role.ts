import type { AnswerSchema } from '../../domain/agent/answer-schema.ts'
import type { RoleNames } from '../../domain/agent/role-binding.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'

/**
 * What an agent is asked to be. `ROLE_FOR` names the usual role of each kind of attempt; nothing else depends on a
 * role's name.
 *
 * Contract: `prompt` is built from rows and commits alone, so a restart builds the same text (only the random
 * boundary differs). It throws while something it needs can't be read. `settle` is called for an ended attempt. It
 * reads the answer, applies it and settles the attempt in one transaction, and does nothing if another call was
 * first. It throws to be called again later.
 */
export interface Role {
  readonly name: string
  /** `read`: reads the tree and answers; the sandbox prevents writing. `write`: changes the tree. */
  readonly mode: 'read' | 'write'
  /** How long to retry a program that fails to start before the attempt fails. */
  readonly startPatienceMs: number
  /** Whether an agent has this role if its configuration lists none. */
  readonly isUsual?: boolean
  /**
   * How it answers, for a role that a plain model can take: the prompt has all it needs, and it changes no files.
   * Absent: only an agent program can take it.
   */
  readonly answer?: AnswerSchema
  prompt(job: Job, attempt: Attempt): Promise<string>
  settle(job: Job, attempt: Attempt): Promise<void>
}

/** Finds roles by name. */
export interface RoleTable extends RoleNames {
  find(name: string): Role | undefined
}
