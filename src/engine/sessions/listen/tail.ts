import type { TaskId } from '../../../domain/id.ts'
import type { ConversationState } from '../../../domain/session/conversation-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { Work } from '../../../ports/work-queue.ts'

/** How far one session's spools have been read, and what its lines belong to. */
export type Tail = {
  readonly session: Session
  readonly cycle?: number
  readonly taskId?: TaskId
  /** What checks a budget that the session spends. */
  readonly payers?: readonly Work[]
  readonly outOffset: number
  readonly errOffset: number
  readonly conversation: ConversationState
  /** The line that starts at `outOffset` has no end before this position. */
  readonly scannedTo: number
  /** When the program was last seen running, in epoch milliseconds. */
  readonly inspectedAt: number
}
