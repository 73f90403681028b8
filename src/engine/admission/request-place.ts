import type { AuditEntry } from '../../domain/audit/audit-entry.ts'
import type { SessionId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type AdmissionNeeds, decideStart } from './decide-starts.ts'
import { placeSession, storePlaced } from './place-session.ts'
import { sessionWaiter } from './start-waiter.ts'

/** Stores a new session that belongs to no attempt: it starts next if it may, and otherwise waits for a place. */
export async function insertSession(
  needs: AdmissionNeeds,
  records: Records,
  created: Session,
  audit: AuditEntry,
): Promise<Session> {
  const now = needs.clock.now()
  const waiter = await sessionWaiter(records, created, now)
  if (waiter === undefined) throw new Error(`session ${created.id} belongs to nothing`)
  const { session, events, follow } = placeSession(created, await decideStart(needs, records, waiter), now)
  return await records.sessions.insert(session, { audit, events, follow })
}

/** A session that is to be resumed takes a new place: its program starts if there is one, and otherwise it waits. */
export async function placeResumed(
  needs: AdmissionNeeds & Pick<EngineNeeds, 'store'>,
  sessionId: SessionId,
): Promise<void> {
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session?.state.type !== 'suspended' || !session.state.isOver) return
    const now = needs.clock.now()
    const waiter = await sessionWaiter(records, session, now)
    if (waiter === undefined) return
    await storePlaced(records, session, await decideStart(needs, records, waiter), now)
  })
}
