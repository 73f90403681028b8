import { sessionSuspended } from '../../../domain/event/session-events.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import { type Suspension, wakeTimeOf } from '../../../domain/session/session-state.ts'
import type { IllegalTransition } from '../../../domain/transition.ts'
import type { Records } from '../../../ports/store/store.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { planOf } from '../purposes/plan-of.ts'

type Needs = Pick<EngineNeeds, 'wakeAt'>

/** Suspends a session: stops its program and keeps its tree and conversation. */
export async function storeSuspension(
  needs: Needs,
  records: Records,
  session: Session,
  why: Suspension,
): Promise<Result<Session, IllegalTransition>> {
  const state = nextSessionState(session.state, { type: 'suspend-request', why })
  if (!state.ok) return failure(state.failure)
  const following = (await planOf(session).whenBlocked?.(records)) ?? []
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
      follow: [{ type: 'session-stop', sessionId: session.id }, ...following],
    },
  )
  // The timer dies with the process. After a crash, the reconciler sets it again from the stored row.
  const until = wakeTimeOf(why)
  if (until !== undefined) {
    needs.wakeAt(new Date(until), { type: 'session-resume', sessionId: session.id })
  }
  return success(saved)
}
