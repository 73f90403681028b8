import type { AttemptId, SessionId } from '../id.ts'

/** The conversation of an earlier attempt that an attempt continues, instead of beginning one. */
export type ContinuedConversation = {
  /** The session that held it. */
  readonly sessionId: SessionId
  /** The attempt after which its directory is named. Some programs find a conversation only where it was held. */
  readonly tree: AttemptId
  /** The commit that its tree has, if the agent goes on with its own work; otherwise its base. */
  readonly commit?: string
}
