import type { SessionId } from '../id.ts'

/** What one session leaves for the next, which continues in the same tree and on the same branch. */
export type HandoffNote = {
  readonly from: SessionId
  readonly fromAgent: string
  /** The agent that continues; the same one if it hands over to a fresh session of itself. */
  readonly to: string
  readonly summary: string
  readonly nextSteps: string
  readonly reason: string
  /** ISO time. */
  readonly at: string
}
