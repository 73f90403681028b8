import type { Generated, GeneratedAlways } from 'kysely'
import type { JobId, MessageId } from '../../../domain/id.ts'
import type { Message, MessageState, Sender, ThreadId } from '../../../domain/message/message.ts'
import type { MessageContent } from '../../../domain/message/message-content.ts'
import type { MessagePriority, MessageType } from '../../../domain/message/message-type.ts'
import type { Recipient } from '../../../domain/message/recipient.ts'

/** The tables of messages. */
export type MessageTables = {
  messageBodies: {
    id: MessageId
    jobId: JobId | null
    text: string
    createdAt: Generated<Date>
  }
  messages: {
    id: MessageId
    position: Generated<number>
    jobId: JobId | null
    sender: Sender
    recipient: Recipient
    recipientRole: string | null
    senderRole: string | null
    type: MessageType
    priority: MessagePriority
    threadId: ThreadId
    kind: MessageContent['kind']
    subject: string
    body: string
    wholeBody: Message['wholeBody'] | null
    bodyId: GeneratedAlways<MessageId | null>
    metadata: MessageContent['metadata']
    inReplyTo: MessageId | null
    broadcastId: MessageId | null
    requiresResponse: boolean
    deadline: Date | null
    overdueAt: Date | null
    dedupeKey: string | null
    state: MessageState
    status: Generated<string>
    version: number
    createdAt: Date
    deliveredAt: Date | null
    endedAt: Date | null
  }
}
