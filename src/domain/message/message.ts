import type { JobId, MessageId, SessionId } from '../id.ts'
import type { Session } from '../session/session.ts'
import type { MessageContent } from './message-content.ts'
import { addressesOf, type Recipient } from './recipient.ts'

export type Sender = SessionId | 'person' | 'engine'

/** One message between agents, people and the engine, with its receipt. */
export type Message = MessageContent & {
  readonly id: MessageId
  /** Absent if it is from or to a session outside any job. */
  readonly jobId?: JobId
  readonly sender: Sender
  readonly recipient: Recipient
  readonly subject: string
  readonly body: string
  readonly inReplyTo?: MessageId
  /** The sender's own id for the message; sending it again has no effect. */
  readonly dedupeKey?: string
  readonly state: MessageState
  readonly version: number
  readonly createdAt: Date
  readonly deliveredAt?: Date
  /** When it was acknowledged or failed. */
  readonly endedAt?: Date
}

/** A session's claim that it is done. */
export type Claim = Extract<Message, { readonly kind: 'complete' }>

/** Who received a message. */
export type Reader = SessionId | 'person' | 'engine'

/** A message's receipt. */
export type MessageState =
  | { readonly type: 'queued' }
  /** This reader received it and has not acknowledged it yet. */
  | { readonly type: 'delivered'; readonly to: Reader }
  | { readonly type: 'acknowledged'; readonly by: Reader }
  | { readonly type: 'failed'; readonly reason: string }

/** Whether a message is for a session: only within the session's own job, and never its own messages. */
export function isAddressedTo(
  message: Pick<Message, 'jobId' | 'sender' | 'recipient'>,
  session: Pick<Session, 'id' | 'jobId' | 'agentName' | 'role'>,
): boolean {
  if (message.jobId !== session.jobId || message.sender === session.id) return false
  return addressesOf(session).includes(message.recipient)
}
