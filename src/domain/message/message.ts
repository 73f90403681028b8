import { type JobId, type MessageId, parseId, type RunId, type SessionId } from '../id.ts'
import type { MessageContent } from './message-content.ts'
import type { MessagePriority, MessageType } from './message-type.ts'
import { type Addressee, addressesOf, jobAddressesOf, type Recipient } from './recipient.ts'

export type Sender = SessionId | 'person' | 'engine'

/** The conversation that a message belongs to: that of a run, or the one that its first message started. */
export type ThreadId = RunId | MessageId

/** A text that is too long for its message, stored once for all messages that have it. */
export type WholeBody = { readonly id: MessageId; readonly jobId?: JobId; readonly text: string }

/** One message between agents, people and the engine, with its receipt. */
export type Message = MessageContent & {
  readonly id: MessageId
  /** Absent if it is from or to a session outside any job. */
  readonly jobId?: JobId
  readonly type: MessageType
  readonly priority: MessagePriority
  readonly threadId: ThreadId
  readonly sender: Sender
  /** The role of the sending session. */
  readonly senderRole?: string
  readonly recipient: Recipient
  /** The role of the session that it is addressed to. */
  readonly recipientRole?: string
  readonly subject: string
  /** The text, or its start if it is stored as a whole body. */
  readonly body: string
  readonly wholeBody?: { readonly id: MessageId; readonly bytes: number }
  readonly inReplyTo?: MessageId
  /** The broadcast that this is one recipient's copy of. */
  readonly broadcastId?: MessageId
  /** Its sender expects a reply. */
  readonly requiresResponse: boolean
  /** When the reply should be there. */
  readonly deadline?: Date
  /** When it was found that the deadline had passed without a reply, and the sender was told. */
  readonly overdueAt?: Date
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

/** The run that a message belongs to. */
export function runOf({ threadId }: Pick<Message, 'threadId'>): RunId | undefined {
  return parseId('run', threadId)
}

/**
 * Whether a message is for a session: only within the session's own job, and never its own messages. In a run, names
 * and roles mean the sessions of that run.
 */
export function isAddressedTo(
  message: Pick<Message, 'jobId' | 'sender' | 'recipient' | 'threadId'>,
  session: Addressee,
  runId: RunId | undefined,
): boolean {
  if (message.jobId !== session.jobId || message.sender === session.id) return false
  if (message.recipient === session.id) return true
  const of = runOf(message)
  if (of === undefined) return jobAddressesOf(session).includes(message.recipient)
  return of === runId && addressesOf(session).includes(message.recipient)
}
