import type { SessionId } from '../../domain/id.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { resumePrompt } from '../prompts/resume-prompt.ts'
import { storeResume } from './resume-session.ts'
import { storeStop } from './stop-session.ts'
import { storeSuspension } from './suspend-session.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'settings' | 'wakeAt'>

/**
 * A program that is spoken to and whose spool is full is heard no more. It goes on in a new life, which has a new
 * spool; one whose conversation cannot be gone on with is over.
 */
export async function renewLife(needs: Needs, sessionId: SessionId): Promise<void> {
  const reason = 'it printed more than is kept of one life'
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session?.state.type !== 'running') return
    if (session.talk.providerSessionId === undefined) {
      await storeStop(needs, records, session, { type: 'cancelled', reason })
      return
    }
    const resting = await storeSuspension(needs, records, session, { type: 'asked', reason })
    if (resting.ok) {
      await storeResume(records, resting.value, { prompt: resumePrompt({ type: 'asked' }) }, 'engine')
    }
  })
}
