import type { SessionId } from '../../../domain/id.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { resumePrompt } from '../../prompts/resume-prompt.ts'
import { storeStop } from '../end/stop-session.ts'
import { storeSuspension } from '../end/suspend-session.ts'
import { storeResume } from './resume-session.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'settings' | 'wakeAt'>

/** What fills a spool sooner than this, without ending one turn, would only fill the next. */
const LEAST_LIFE_MS = 60_000

/**
 * A program that is spoken to and whose spool is full is heard no more. It goes on in a new life, which has a new
 * spool; one whose conversation cannot be gone on with, or that only floods, is over.
 */
export async function renewLife(needs: Needs, sessionId: SessionId): Promise<void> {
  const reason = 'it printed more than is kept of one life'
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session?.state.type !== 'running') return
    if (session.talk.providerSessionId === undefined || !isWorthwhile(needs, session)) {
      await storeStop(needs, records, session, { type: 'cancelled', reason })
      return
    }
    const resting = await storeSuspension(needs, records, session, { type: 'asked', reason })
    if (resting.ok) {
      await storeResume(records, resting.value, { prompt: resumePrompt({ type: 'asked' }) }, 'engine')
    }
  })
}

function isWorthwhile(needs: Needs, { talk, startedAt }: Session): boolean {
  const livedMs = needs.clock.now().getTime() - (startedAt?.getTime() ?? 0)
  return talk.turn !== undefined || livedMs > LEAST_LIFE_MS
}
