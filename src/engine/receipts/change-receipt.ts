import type { Message, Reader } from '../../domain/message/message.ts'
import { type MessageEvent, nextMessageState } from '../../domain/message/next-message-state.ts'
import type { Records } from '../../ports/store/store.ts'
import { messageChange } from './message-change.ts'

const EVENT_TYPES = {
  'message-delivery': 'message_delivered',
  'message-acknowledge': 'message_acknowledged',
  'message-fail': 'message_failed',
} as const satisfies Record<MessageEvent['type'], string>

/** Advances a message's receipt if that is a legal change, and otherwise returns the message unchanged. */
export async function changeReceipt(
  records: Records,
  message: Message,
  event: MessageEvent,
  now: Date,
): Promise<Message> {
  const state = nextMessageState(message.state, event)
  if (!state.ok) return message
  const moved: Message = {
    ...message,
    state: state.value,
    ...(event.type === 'message-delivery' ? { deliveredAt: now } : { endedAt: now }),
  }
  return await records.messages.save(moved, messageChange(moved, actorOf(event), EVENT_TYPES[event.type]))
}

/** Marks a message as delivered and acknowledged at once. */
export async function settleReceipt(
  records: Records,
  message: Message,
  reader: Reader,
  now: Date,
): Promise<Message> {
  const given =
    message.state.type === 'delivered' && message.state.to === reader
      ? message
      : await changeReceipt(records, message, { type: 'message-delivery', to: reader }, now)
  return await changeReceipt(records, given, { type: 'message-acknowledge', by: reader }, now)
}

function actorOf(event: MessageEvent): 'agent' | 'person' | 'engine' {
  if (event.type === 'message-fail') return 'engine'
  const reader = event.type === 'message-delivery' ? event.to : event.by
  if (reader === 'person') return 'person'
  return reader === 'engine' ? 'engine' : 'agent'
}
