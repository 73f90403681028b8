import type { Work } from '../../../ports/work-queue.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { programOf } from '../program-of.ts'
import { endSession } from './end-session.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'host' | 'terminals' | 'clock' | 'crash' | 'settings' | 'assignments' | 'outboxes' | 'log'
>

/**
 * Ends a session whose files can't be read, for example because its agent changed them. A program that can't be
 * stopped for the same reason is ended by its own host, which sees that its files are gone.
 */
export async function giveUpSession(
  needs: Needs,
  { sessionId, processNumber, reason }: Extract<Work, { type: 'session-give-up' }>,
): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined || session.state.type === 'terminated') return
  if (session.processNumber !== processNumber) return
  try {
    await programOf(needs, session).stop(0)
  } catch (error) {
    needs.log.warn({ sessionId, error: String(error) }, 'could not stop a session whose files are unreadable')
  }
  await needs.outboxes.collect(session)
  await endSession(needs, sessionId, { type: 'lost', reason }, processNumber)
}
