import type { SessionId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import { endSession } from './end-session.ts'
import { firstPromptOf } from './first-prompt.ts'
import type { Life } from './launch-life.ts'
import { programOf } from './program-of.ts'
import { type LifeNeeds, startLife } from './start-life.ts'
import { findWorkplace } from './workplace.ts'

/** Starts a session that belongs to no attempt. Safe to run again after any death. */
export async function startSession(needs: LifeNeeds, sessionId: SessionId): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined || session.purpose.type === 'attempt') return
  if (session.state.type === 'terminated') {
    return programOf(needs, session).stop(needs.settings.stopGraceMs)
  }
  if (session.state.type !== 'starting') return
  const life = await lifeOf(needs, session)
  if (life === undefined) {
    return endSession(needs, sessionId, { type: 'unstarted', reason: 'what it was to work on is gone' })
  }
  const started = await startLife(needs, life)
  if (!started.ok) return endSession(needs, sessionId, { type: 'unstarted', reason: started.failure })
  // Its spools are read to the end like any other's.
  if (started.value === 'ended') needs.adoptSession(sessionId)
}

async function lifeOf(needs: LifeNeeds, session: Session): Promise<Life | undefined> {
  const workplace = await findWorkplace(needs, session)
  if (workplace === undefined) return undefined
  const prompt = await firstPromptOf(needs, session)
  if (session.purpose.type !== 'query') return { session, workplace, prompt }
  const asked = await needs.store.read.sessions.find(session.purpose.of)
  const resume = asked?.talk.providerSessionId
  return resume === undefined ? undefined : { session, workplace, prompt, resume }
}
