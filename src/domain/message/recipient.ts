import { parseId, type SessionId } from '../id.ts'
import type { Session } from '../session/session.ts'

/** To whom a message is addressed. What is for an agent's name or a role goes to the first such session that reads. */
export type Recipient = 'person' | 'engine' | SessionId | `agent:${string}` | `role:${string}`

const NAMED = /^(?:agent|role):[^\s:]{1,64}$/

/** Text from outside to an address, or nothing. */
export function parseRecipient(text: string): Recipient | undefined {
  if (text === 'person' || text === 'engine') return text
  if (NAMED.test(text)) return text as Recipient
  return parseId('session', text)
}

/** Every address under which a session gets messages. Names and roles mean something within a job alone. */
export function addressesOf(
  session: Pick<Session, 'id' | 'jobId' | 'agentName' | 'role'>,
): readonly Recipient[] {
  if (session.jobId === undefined) return [session.id]
  return [session.id, `agent:${session.agentName}`, `role:${session.role}`]
}
