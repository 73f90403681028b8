import type { AnswerSchema } from '../domain/agent/answer-schema.ts'
import type { Attempt } from '../domain/attempt/attempt.ts'
import type { RunId, SessionId } from '../domain/id.ts'
import type { Job } from '../domain/job/job.ts'

/**
 * What an attempt's agent is asked to do, and what becomes of it. It follows from what the attempt is for; the name of
 * its role only decides which agents may take it.
 *
 * Contract: `prompt` is built from rows and commits alone, so a restart builds the same text (only the random
 * boundary differs). It throws while something it needs can't be read. `settle` is called for an ended attempt. It
 * reads the answer, applies it and settles the attempt in one transaction, and does nothing if another call was
 * first. It throws to be called again later.
 */
export interface Assignment {
  /** `read`: reads the tree and answers; the sandbox prevents writing. `write`: changes the tree. */
  readonly mode: 'read' | 'write'
  /** How long to retry a program that fails to start before the attempt fails. */
  readonly startPatienceMs: number
  /**
   * How it answers, if a plain model can do it: the prompt has all it needs, and it changes no files. Absent: only an
   * agent program can do it.
   */
  readonly answer?: AnswerSchema
  /** How long one attempt may take, if that is less than what the job allows. */
  readonly timeMs?: number
  /** The run whose own limit its cost counts toward, where there is one. */
  readonly payer?: RunId
  /** `isWhole`: enough for a new conversation, even if the attempt continues one. */
  prompt(job: Job, attempt: Attempt, options?: { readonly isWhole: boolean }): Promise<string>
  /** Asks its agent to finish because the time is over. Returns how much longer it may take, or undefined to stop it. */
  nudge?(job: Job, attempt: Attempt, sessionId: SessionId): Promise<number | undefined>
  settle(job: Job, attempt: Attempt): Promise<void>
}

/**
 * Finds what an attempt's agent is asked to do.
 *
 * Contract: the answer is made from the attempt's row and what the row names, so it stays the same as long as the
 * attempt lives. Undefined means that what the attempt belonged to is gone.
 */
export interface Assignments {
  find(attempt: Attempt): Promise<Assignment | undefined>
}
