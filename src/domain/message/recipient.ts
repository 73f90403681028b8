import { parseId, type SessionId } from '../id.ts'
import type { Session } from '../session/session.ts'

/**
 * To whom a message is addressed. A message to an agent's name or a role goes to the first such session that reads. A
 * broadcast has a copy for each of its recipients, and isn't read itself.
 */
export type Recipient = 'person' | 'engine' | 'broadcast' | SessionId | `agent:${string}` | `role:${string}`

const NAMED = /^(?:agent|role):[^\s:]{1,64}$/

/** Parses text from outside into a recipient. */
export function parseRecipient(text: string): Recipient | undefined {
  if (text === 'person' || text === 'engine' || text === 'broadcast') return text
  if (NAMED.test(text)) return text as Recipient
  return parseId('session', text)
}

export type Addressee = Pick<Session, 'id' | 'jobId' | 'agentName' | 'role' | 'admittedAs'>

/** Every address at which a session receives the messages of its run. Names and roles apply only within a job. */
export function addressesOf(session: Addressee): readonly Recipient[] {
  if (session.jobId === undefined) return [session.id]
  return [session.id, `agent:${session.agentName}`, `role:${session.role}`]
}

/**
 * Every address at which a session receives messages from outside its run. The developer of a run does a task of the
 * job: who writes to the job's workers means the developer, too.
 */
export function jobAddressesOf(session: Addressee): readonly Recipient[] {
  const { jobId, role, admittedAs = role } = session
  const isOther = jobId !== undefined && admittedAs !== role
  return isOther ? [...addressesOf(session), `role:${admittedAs}`] : addressesOf(session)
}
