import type { Session } from '../../../domain/session/session.ts'
import { askedSessionOf } from '../../../domain/session/session-purpose.ts'
import type { StoreReader } from './session-plan.ts'

/** Whether one of these sessions is answering a question, which happens in its tree. */
export async function isAnyAsked(
  needs: StoreReader,
  sessions: readonly Pick<Session, 'id'>[],
): Promise<boolean> {
  const live = await needs.store.read.sessions.listLive()
  return live.some((query) => sessions.some(({ id }) => id === askedSessionOf(query)))
}
