import { parseId, type SessionId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { HostId } from '../../ports/session-host.ts'

/** The host of a session's present life. */
export function hostOf(session: Pick<Session, 'id' | 'life'>): HostId {
  return (session.life === 1 ? session.id : `${session.id}.${session.life}`) as HostId
}

/** The session a host belongs to, and which of its lives. */
export function lifeOfHost(
  hostId: HostId,
): { readonly sessionId: SessionId; readonly life: number } | undefined {
  const [name = '', life = '1'] = hostId.split('.')
  const sessionId = parseId('session', name)
  return sessionId === undefined || !/^[1-9]\d*$/.test(life) ? undefined : { sessionId, life: Number(life) }
}
