import type { JobId, MessageId, SessionId } from '../id.ts'
import type { MessageState } from './message-state.ts'
import type { Recipient } from './recipient.ts'

export type MessageKind = 'text' | 'progress' | 'complete' | 'handoff' | 'question' | 'answer'

export type Sender = SessionId | 'person' | 'engine'

/** One message between agents, people and the engine, with its receipt. */
export type Message = {
  readonly id: MessageId
  /** Absent when it is from or to a session outside of any job. */
  readonly jobId?: JobId
  readonly sender: Sender
  readonly recipient: Recipient
  readonly kind: MessageKind
  readonly subject: string
  readonly body: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly inReplyTo?: MessageId
  /** The sender's own name for it: sent again under the same one, it is the same message. */
  readonly dedupeKey?: string
  readonly state: MessageState
  readonly version: number
  readonly createdAt: Date
  readonly deliveredAt?: Date
  /** When it was acknowledged or failed. */
  readonly endedAt?: Date
}
