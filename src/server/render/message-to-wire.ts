import type { WireMessage } from '../../contract/message.ts'
import type { Message, MessageState } from '../../domain/message/message.ts'
import { instantsToWire } from './instants-to-wire.ts'

export function messageToWire(message: Message): WireMessage {
  const { id, jobId, sender, recipient, kind, subject, body, metadata, inReplyTo, state } = message
  return {
    id,
    ...(jobId === undefined ? {} : { jobId }),
    from: sender,
    to: recipient,
    kind,
    subject,
    body,
    metadata: { ...metadata },
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    status: state.type,
    ...receiptFields(state),
    createdAt: message.createdAt.toISOString(),
    ...instantsToWire({ deliveredAt: message.deliveredAt, endedAt: message.endedAt }),
  }
}

function receiptFields(state: MessageState): Partial<WireMessage> {
  if (state.type === 'delivered') return { reader: state.to }
  if (state.type === 'acknowledged') return { reader: state.by }
  return state.type === 'failed' ? { reason: state.reason } : {}
}
