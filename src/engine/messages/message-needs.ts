import type { MessageId, SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { HandoffRequest } from '../../domain/message/message-request.ts'
import type { Redact } from '../../domain/redaction/redact.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventFeed } from '../../ports/event-feed.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { WaitingReaders } from './waiting-readers.ts'

/**
 * What messages need. Each callback is called after its message is stored, and again if the daemon died before it
 * returned, so a second call must do nothing.
 */
export type MessageNeeds = {
  readonly store: Store
  /** Messages are redacted as they come in, before anything shortens them. */
  readonly redact: Redact
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly wakeAt: (at: Date, work: Work) => void
  readonly feed: Pick<EventFeed, 'subscribe'>
  readonly waitingReaders: WaitingReaders
  /** The questions whose senders wait for the answer right now, and get it without a notice. */
  readonly awaitedAnswers: Set<MessageId>
  /** These live sessions have a message to read. */
  readonly onMessage: (readers: readonly SessionId[]) => Promise<void>
  readonly onHandoff: (sessionId: SessionId, note: HandoffNotice) => Promise<void>
  readonly onComplete: (sessionId: SessionId) => Promise<void>
  /** A question to the session that worked on the same task before. Its answer is stored with `answerAsEngine`. */
  readonly onQuestion: (question: Message, predecessor: SessionId) => Promise<void>
}

export type HandoffNotice = Pick<HandoffRequest, 'summary' | 'nextSteps' | 'reason'> & {
  readonly to?: string
}
