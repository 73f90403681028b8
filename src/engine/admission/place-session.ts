import type { Admission } from '../../domain/admission/admit.ts'
import { sessionWaiting } from '../../domain/event/session-events.ts'
import { nextSessionState } from '../../domain/session/next-session-state.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Change } from '../../ports/store/change.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'

type Placed = { readonly session: Session } & Required<Pick<Change, 'events' | 'follow'>>

/** A session as it is stored once its request was decided: it starts next, or waits and says why. */
export function placeSession(session: Session, admission: Admission, now: Date): Placed {
  if (admission.type === 'admitted') return { session, events: [], follow: [startOf(session)] }
  const { type: _, ...refusal } = admission
  const state = nextSessionState(session.state, { type: 'start-refuse', refusal, at: now })
  if (!state.ok) throw new Error(`session ${session.id} is ${session.state.type} and cannot wait`)
  return {
    session: { ...session, state: state.value },
    events: [sessionWaiting(session, refusal)],
    // The waker sets the alarm for limits that end at a known time.
    follow: refusal.until === undefined ? [] : [{ type: 'admission-wake' }],
  }
}

/** Stores the decision on a session that has its row: one that waits, or is to be resumed. */
export async function storePlaced(
  records: Records,
  session: Session,
  admission: Admission,
  now: Date,
): Promise<Session> {
  if (admission.type === 'refused') {
    const { session: waiting, events, follow } = placeSession(session, admission, now)
    const detail = { limit: admission.limit }
    const audit = { actor: 'engine', action: 'session-wait', subject: session.id, detail } as const
    return await records.sessions.save(waiting, { audit, events, follow })
  }
  const state = nextSessionState(session.state, { type: 'start-admit', at: now })
  if (!state.ok) throw new Error(`session ${session.id} is ${session.state.type} and cannot start`)
  return await records.sessions.save(
    { ...session, state: state.value },
    {
      audit: { actor: 'engine', action: 'session-admit', subject: session.id, detail: {} },
      follow: [startOf({ ...session, state: state.value })],
    },
  )
}

/** The work that starts the program of a session that has its place. */
export function startOf({ id: sessionId, state }: Session): Work {
  const isResumed = 'resume' in state && state.resume !== undefined
  return { type: isResumed ? 'session-resume' : 'session-start', sessionId }
}
