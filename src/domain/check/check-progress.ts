import type { SessionId } from '../id.ts'

/** How far the checks of one commit have come. They run one after another, each in a session. */
export type CheckProgress = {
  /** The check that is running. */
  readonly checkIndex: number
  readonly sessionId: SessionId
  /** The checks that failed once on this tree and get a second chance. */
  readonly suspects: readonly number[]
  /** How often a check ended without a result for the tree. */
  readonly lost: number
}

/** The progress when the first check is about to start. */
export function firstCheck(sessionId: SessionId): CheckProgress {
  return { checkIndex: 0, sessionId, suspects: [], lost: 0 }
}
