import { sessionSuspended } from '../../../domain/event/session-events.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { Suspension } from '../../../domain/session/session-state.ts'
import type { IllegalTransition } from '../../../domain/transition.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { EngineNeeds } from '../../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'wakeAt'>

/** Lets a session rest: its program is stopped, its tree and its conversation stay. */
export async function storeSuspension(
  needs: Needs,
  records: Records,
  session: Session,
  why: Suspension,
): Promise<Result<Session, IllegalTransition>> {
  const state = nextSessionState(session.state, { type: 'suspend-request', why })
  if (!state.ok) return failure(state.failure)
  const saved = await records.sessions.save(
    { ...session, state: state.value },
    {
      audit: {
        actor: why.type === 'asked' ? 'person' : 'engine',
        action: 'session-suspend',
        subject: session.id,
        detail: { why: why.type },
      },
      events: [sessionSuspended(session, why)],
      follow: [{ type: 'session-stop', sessionId: session.id }],
    },
  )
  // Told to the clock only when it is stored; should we die before, the reconciler tells it again.
  if (why.type === 'limited') {
    needs.wakeAt(new Date(why.until), { type: 'session-resume', sessionId: session.id })
  }
  return success(saved)
}
