import type { JobId, TaskId } from '../../../domain/id.ts'
import type { ConversationState } from '../../../domain/session/conversation-state.ts'
import type { Session } from '../../../domain/session/session.ts'

/** How far one session's spools have been read, and what its lines belong to. */
export type Tail = {
  readonly session: Session
  readonly cycle?: number
  readonly taskId?: TaskId
  /** The job whose budget pays for the session, if any. */
  readonly payer?: JobId
  readonly outOffset: number
  readonly errOffset: number
  readonly conversation: ConversationState
  /** The line that starts at `outOffset` has no end before this position. */
  readonly scannedTo: number
  /** When the program was last seen running, in epoch milliseconds. */
  readonly inspectedAt: number
}
