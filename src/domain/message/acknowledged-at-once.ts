import type { Message } from './message.ts'
import { nextMessageState } from './next-message-state.ts'

/** A new message that nobody has to act on or receive: it counts as acknowledged when it is stored. */
export function acknowledgedAtOnce(message: Message): Message {
  const given = nextMessageState(message.state, { type: 'message-delivery', to: 'engine' })
  if (!given.ok) return message
  const taken = nextMessageState(given.value, { type: 'message-acknowledge', by: 'engine' })
  if (!taken.ok) return message
  const { createdAt: at } = message
  return { ...message, state: taken.value, deliveredAt: at, endedAt: at }
}
