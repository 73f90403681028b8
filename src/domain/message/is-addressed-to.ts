import type { Session } from '../session/session.ts'
import type { Message } from './message.ts'
import { addressesOf } from './recipient.ts'

/** Whether a message reaches a session: within its own job alone, and nobody gets what they sent themselves. */
export function isAddressedTo(
  message: Pick<Message, 'jobId' | 'sender' | 'recipient'>,
  session: Pick<Session, 'id' | 'jobId' | 'agentName' | 'role'>,
): boolean {
  if (message.jobId !== session.jobId || message.sender === session.id) return false
  return addressesOf(session).includes(message.recipient)
}
