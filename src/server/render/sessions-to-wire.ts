import type { WireSession } from '../../contract/session.ts'
import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/store/store.ts'
import { sessionToWire } from './session-to-wire.ts'

type Needs = { readonly store: Pick<Store, 'read'> }

export function sessionsToWire(needs: Needs, sessions: readonly Session[]): Promise<WireSession[]> {
  return Promise.all(sessions.map((session) => sessionWithTask(needs, session)))
}

/** A session with the task that its attempt is at. */
export async function sessionWithTask(needs: Needs, session: Session): Promise<WireSession> {
  const { purpose } = session
  if (purpose.type !== 'attempt') return sessionToWire(session)
  const attempt = await needs.store.read.attempts.find(purpose.attemptId)
  return sessionToWire(session, attempt === undefined ? undefined : taskIdOf(attempt))
}
