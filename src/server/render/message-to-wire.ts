import type { WireMessage } from '../../contract/message.ts'
import type { Message, MessageState } from '../../domain/message/message.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function messageToWire(message: Message): WireMessage {
  const { id, jobId, sender, senderRole, recipient, recipientRole, kind, type, priority, threadId } = message
  const { subject, body, wholeBody, metadata, inReplyTo, broadcastId, requiresResponse, state } = message
  return {
    id,
    ...withoutUndefined({ jobId, fromRole: senderRole, toRole: recipientRole, inReplyTo, broadcastId }),
    ...withoutUndefined({ bodyBytes: wholeBody?.bytes }),
    from: sender,
    to: recipient,
    kind,
    type,
    priority,
    threadId,
    subject,
    body,
    metadata: { ...metadata },
    requiresResponse,
    status: state.type,
    ...receiptFields(state),
    createdAt: message.createdAt.toISOString(),
    ...instantsToWire({
      deliveredAt: message.deliveredAt,
      endedAt: message.endedAt,
      deadline: message.deadline,
      overdueAt: message.overdueAt,
    }),
  }
}

function receiptFields(state: MessageState): Partial<WireMessage> {
  if (state.type === 'delivered') return { reader: state.to }
  if (state.type === 'acknowledged') return { reader: state.by }
  return state.type === 'failed' ? { reason: state.reason } : {}
}
