import type { SessionId } from '../../domain/id.ts'
import { success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { beginLife } from './begin-life.ts'
import { endSession } from './end-session.ts'
import { firstPromptOf } from './first-prompt.ts'
import { type Life, launchLife, openingOf } from './launch-life.ts'
import { programOf } from './program-of.ts'
import { findWorkplace } from './workplace.ts'

type Needs = Pick<
  EngineNeeds,
  | 'store'
  | 'hub'
  | 'host'
  | 'terminals'
  | 'disk'
  | 'providers'
  | 'clock'
  | 'crash'
  | 'settings'
  | 'adoptSession'
>

/** Starts a session that belongs to no attempt. Safe to run again after any death. */
export async function startSession(needs: Needs, sessionId: SessionId): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined || session.purpose.type === 'attempt') return
  if (session.state.type === 'terminated') {
    return programOf(needs, session).stop(needs.settings.stopGraceMs)
  }
  if (session.state.type !== 'starting') return
  const sight = await programOf(needs, session).look()
  if (sight.type !== 'absent' && sight.type !== 'running') return needs.adoptSession(sessionId)
  const life = await lifeOf(needs, session)
  if (life === undefined) {
    return endSession(needs, sessionId, { type: 'unstarted', reason: 'what it was to work on is gone' })
  }
  const launched =
    sight.type === 'running' ? success({ started: sight, opening: undefined }) : await launchLife(needs, life)
  if (!launched.ok) return endSession(needs, sessionId, { type: 'unstarted', reason: launched.failure })
  const { started, opening = await openingOf(needs, life) } = launched.value
  await beginLife(needs, { session, started, workplace: life.workplace, opening })
}

async function lifeOf(needs: Needs, session: Session): Promise<Life | undefined> {
  const workplace = await findWorkplace(needs, session)
  if (workplace === undefined) return undefined
  const prompt = await firstPromptOf(needs, session)
  if (session.purpose.type !== 'query') return { session, workplace, prompt }
  const asked = await needs.store.read.sessions.find(session.purpose.of)
  const resume = asked?.talk.providerSessionId
  return resume === undefined ? undefined : { session, workplace, prompt, resume }
}
