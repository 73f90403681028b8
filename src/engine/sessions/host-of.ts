import { parseId, type SessionId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { HostId } from '../../ports/session-host.ts'

/** The host of a session's current process. */
export function hostOf(session: Pick<Session, 'id' | 'processNumber'>): HostId {
  return (session.processNumber === 1 ? session.id : `${session.id}.${session.processNumber}`) as HostId
}

/** The session and process number that a host belongs to. */
export function processOfHost(
  hostId: HostId,
): { readonly sessionId: SessionId; readonly processNumber: number } | undefined {
  const [name = '', processNumber = '1'] = hostId.split('.')
  const sessionId = parseId('session', name)
  return sessionId === undefined || !/^[1-9]\d*$/.test(processNumber)
    ? undefined
    : { sessionId, processNumber: Number(processNumber) }
}
