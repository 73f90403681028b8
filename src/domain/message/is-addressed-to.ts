import type { Session } from '../session/session.ts'
import type { Message } from './message.ts'
import { addressesOf } from './recipient.ts'

/** Whether a letter reaches a session: within its own job alone, and nobody gets what they sent themselves. */
export function isAddressedTo(
  letter: Pick<Message, 'jobId' | 'sender' | 'recipient'>,
  session: Pick<Session, 'id' | 'jobId' | 'agentName' | 'role'>,
): boolean {
  if (letter.jobId !== session.jobId || letter.sender === session.id) return false
  return addressesOf(session).includes(letter.recipient)
}
