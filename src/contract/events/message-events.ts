import { z } from 'zod'
import { messageSchema } from '../message.ts'
import { eventSchema } from './event-schema.ts'

const { kind, type, priority, threadId, from, to, subject, inReplyTo, reason } = messageSchema.shape
const message = z.object({
  messageId: z.string(),
  kind,
  messageType: type.optional(),
  priority: priority.optional(),
  threadId: threadId.optional(),
  from,
  to,
  subject,
  /** The start of the body. */
  text: z.string(),
  inReplyTo,
  reason,
})

export const messageEvents = [
  eventSchema('message_sent', message),
  eventSchema('message_delivered', message),
  eventSchema('message_acknowledged', message),
  eventSchema('message_failed', message),
  eventSchema('message_overdue', message),
] as const
