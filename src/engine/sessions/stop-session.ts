import type { SessionId } from '../../domain/id.ts'
import { nextSessionState } from '../../domain/session/next-session-state.ts'
import type { TerminationCause } from '../../domain/session/session-state.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { endSession } from './end-session.ts'

type Needs = Pick<EngineNeeds, 'store' | 'host' | 'clock' | 'crash' | 'settings' | 'adoptSession'>

/** Writes down that a session must stop; the stopping follows as work, so that a death does not forget it. */
export async function requestStop(
  needs: Pick<Needs, 'store'>,
  sessionId: SessionId,
  why: TerminationCause,
): Promise<void> {
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session === undefined) return
    const state = nextSessionState(session.state, { type: 'stop-request', why })
    if (!state.ok) return
    await records.sessions.save(
      { ...session, state: state.value },
      {
        audit: { actor: 'engine', action: 'session-stop', subject: sessionId, detail: { why: why.type } },
        follow: [{ type: 'session-stop', sessionId }],
      },
    )
  })
}

/** Stops the program; its last lines and its end are recorded by whoever reads its spools. */
export async function stopSession(needs: Needs, sessionId: SessionId): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined || session.state.type !== 'terminating') return
  await needs.host.stop(sessionId, needs.settings.stopGraceMs)
  const sight = await needs.host.look(sessionId)
  if (sight.type === 'absent')
    return endSession(needs, sessionId, { type: 'lost', reason: 'it never started' })
  needs.adoptSession(sessionId)
}
