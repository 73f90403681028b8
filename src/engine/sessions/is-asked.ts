import type { Session } from '../../domain/session/session.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** Whether a question to one of these sessions is under way: it is asked in their tree. */
export async function isAnyAsked(
  needs: Pick<EngineNeeds, 'store'>,
  sessions: readonly Pick<Session, 'id'>[],
): Promise<boolean> {
  const live = await needs.store.read.sessions.listLive()
  return live.some(({ purpose }) => purpose.type === 'query' && sessions.some(({ id }) => id === purpose.of))
}
