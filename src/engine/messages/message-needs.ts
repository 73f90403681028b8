import type { SessionId } from '../../domain/id.ts'
import type { Message } from '../../domain/message/message.ts'
import type { HandoffRequest } from '../../domain/message/message-request.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventFeed } from '../../ports/event-feed.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store/store.ts'

/**
 * What messages need. The callbacks are made after the message is stored, and again when a death came between:
 * each must do no harm when it is made twice.
 */
export type MessageNeeds = {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly feed: Pick<EventFeed, 'subscribe'>
  /** There is something to read for these live sessions. */
  readonly onMessage: (readers: readonly SessionId[]) => Promise<void>
  readonly onHandoff: (sessionId: SessionId, note: HandoffNotice) => Promise<void>
  readonly onComplete: (sessionId: SessionId) => Promise<void>
  /** A question to whoever worked on the same task before; its answer is stored with `answerQuestion`. */
  readonly onQuestion: (question: Message, predecessor: SessionId) => Promise<void>
}

export type HandoffNotice = Pick<HandoffRequest, 'summary' | 'nextSteps' | 'reason'> & {
  readonly to?: string
}
