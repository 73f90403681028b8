import type { Admission } from '../../domain/admission/admit.ts'
import type { AuditEntry } from '../../domain/audit/audit-entry.ts'
import type { NewEvent } from '../../domain/event/event.ts'
import { sessionWaiting } from '../../domain/event/session-events.ts'
import type { SessionId } from '../../domain/id.ts'
import { nextSessionState } from '../../domain/session/next-session-state.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Change } from '../../ports/store/change.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type AdmissionNeeds, decideStart } from './decide-starts.ts'
import { sessionWaiter } from './start-waiter.ts'

/** Stores a new session that belongs to no attempt, with what the person said in it. Its program starts next if it is admitted; otherwise it waits. */
export async function insertSession(
  needs: AdmissionNeeds,
  records: Records,
  created: Session,
  audit: AuditEntry,
  said: readonly NewEvent[] = [],
): Promise<Session> {
  const now = needs.clock.now()
  const waiter = await sessionWaiter(records, created, now)
  if (waiter === undefined) throw new Error(`session ${created.id} belongs to nothing`)
  const { session, events, follow } = applyAdmission(created, await decideStart(needs, records, waiter), now)
  return await records.sessions.insert(session, { audit, events: [...said, ...events], follow })
}

/** A resumed session needs a place again: its program starts if there is one, and otherwise the session waits. */
export async function admitResumed(
  needs: AdmissionNeeds & Pick<EngineNeeds, 'store'>,
  sessionId: SessionId,
): Promise<void> {
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session?.state.type !== 'suspended' || !session.state.hasExited) return
    const now = needs.clock.now()
    const waiter = await sessionWaiter(records, session, now)
    if (waiter === undefined) return
    await storeAdmission(records, session, await decideStart(needs, records, waiter), now)
  })
}

/** Stores the decision on a session that has a row: a waiting or a resumed one. */
export async function storeAdmission(
  records: Records,
  session: Session,
  admission: Admission,
  now: Date,
): Promise<Session> {
  if (admission.type === 'refused') {
    const { session: waiting, events, follow } = applyAdmission(session, admission, now)
    const detail = { limit: admission.limit }
    const audit = { actor: 'engine', action: 'session-wait', subject: session.id, detail } as const
    return await records.sessions.save(waiting, { audit, events, follow })
  }
  const state = nextSessionState(session.state, { type: 'start-admit', at: now })
  if (!state.ok) throw new Error(`session ${session.id} is ${session.state.type} and cannot start`)
  const admitted = { ...session, state: state.value }
  return await records.sessions.save(admitted, {
    audit: { actor: 'engine', action: 'session-admit', subject: session.id, detail: {} },
    follow: [startWorkOf(admitted)],
  })
}

type AdmittedSession = { readonly session: Session } & Required<Pick<Change, 'events' | 'follow'>>

/** A new session as it is stored after the decision: it starts next, or it waits and its state says why. */
export function applyAdmission(session: Session, admission: Admission, now: Date): AdmittedSession {
  if (admission.type === 'admitted') return { session, events: [], follow: [startWorkOf(session)] }
  const { type: _, ...refusal } = admission
  const state = nextSessionState(session.state, { type: 'start-refuse', refusal, at: now })
  if (!state.ok) throw new Error(`session ${session.id} is ${session.state.type} and cannot wait`)
  return {
    session: { ...session, state: state.value },
    events: [sessionWaiting(session, refusal)],
    // The handler sets an alarm for limits that end at a known time.
    follow: refusal.until === undefined ? [] : [{ type: 'admission-wake' }],
  }
}

/** The work that starts the program of an admitted session. */
export function startWorkOf({ id: sessionId, state }: Session): Work {
  const isResumed = 'resume' in state && state.resume !== undefined
  return { type: isResumed ? 'session-resume' : 'session-start', sessionId }
}
