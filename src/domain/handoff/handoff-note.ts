import type { SessionId } from '../id.ts'

/** What one session leaves to the next, which goes on in the same tree and on the same branch. */
export type HandoffNote = {
  readonly from: SessionId
  readonly fromAgent: string
  /** The agent that goes on; the same one when it hands over to a fresh self. */
  readonly to: string
  readonly summary: string
  readonly nextSteps: string
  readonly reason: string
  /** ISO time. */
  readonly at: string
}
