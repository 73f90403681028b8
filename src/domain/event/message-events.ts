import { type MessageId, parseId } from '../id.ts'
import type { Message, Sender, ThreadId } from '../message/message.ts'
import type { MessageKind } from '../message/message-content.ts'
import type { MessagePriority, MessageType } from '../message/message-type.ts'
import type { Recipient } from '../message/recipient.ts'
import type { EventPlace } from './event-place.ts'
import { builderOf } from './new-event.ts'

type MessageData = {
  readonly messageId: MessageId
  readonly kind: MessageKind
  /** These three are absent in events from before they existed. */
  readonly messageType?: MessageType | undefined
  readonly priority?: MessagePriority | undefined
  readonly threadId?: ThreadId | undefined
  readonly from: Sender
  readonly to: Recipient
  readonly subject: string
  /** The beginning of its text. */
  readonly text: string
  readonly inReplyTo?: MessageId | undefined
  /** Why it failed. */
  readonly reason?: string | undefined
}

export type MessageEvents = {
  readonly message_sent: MessageData
  readonly message_delivered: MessageData
  readonly message_acknowledged: MessageData
  readonly message_failed: MessageData
  /** Its deadline has passed without a reply. */
  readonly message_overdue: MessageData
}

const event = builderOf<MessageEvents>()

const PREVIEW_CHARACTERS = 500

export function messageEvent(type: keyof MessageEvents, message: Message, place = placeOf(message)) {
  const {
    id,
    kind,
    type: messageType,
    priority,
    threadId,
    sender,
    recipient,
    subject,
    body,
    inReplyTo,
    state,
  } = message
  return event(type, place, {
    messageId: id,
    kind,
    messageType,
    priority,
    threadId,
    from: sender,
    to: recipient,
    subject,
    text: body.slice(0, PREVIEW_CHARACTERS),
    inReplyTo,
    reason: state.type === 'failed' ? state.reason : undefined,
  })
}

/** A message belongs to its job's stream, or to that of the session it is from or for. */
function placeOf({ jobId, sender, recipient, state }: Message): EventPlace {
  const reader = state.type === 'delivered' ? state.to : undefined
  const ids = [sender, recipient, reader].map((text) => parseId('session', text ?? ''))
  const sessionId = ids.find((id) => id !== undefined)
  return {
    ...(jobId === undefined ? {} : { jobId }),
    ...(sessionId === undefined ? {} : { sessionId }),
  }
}
