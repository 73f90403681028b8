import type { SessionId } from '../../../domain/id.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { resumePrompt } from '../../prompts/resume-prompt.ts'
import { storeStop } from '../end/stop-session.ts'
import { storeSuspension } from '../end/suspend-session.ts'
import { storeResume } from './resume-session.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'settings' | 'wakeAt'>

/**
 * Nothing more can be read from a program whose spool is full, so its session continues in a new process with a new
 * spool. A session whose conversation can't be resumed, or that only floods, is stopped.
 */
export async function restartProgram(needs: Needs, sessionId: SessionId): Promise<void> {
  const reason = 'its program printed more output than Muster keeps for one process'
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session?.state.type !== 'running') return
    if (session.conversation.providerSessionId === undefined || !isWorthwhile(needs, session)) {
      await storeStop(needs, records, session, { type: 'cancelled', reason })
      return
    }
    const suspended = await storeSuspension(needs, records, session, { type: 'asked', reason })
    if (suspended.ok) {
      await storeResume(records, suspended.value, { prompt: resumePrompt({ type: 'asked' }) }, 'engine')
    }
  })
}

function isWorthwhile(needs: Needs, { conversation, startedAt }: Session): boolean {
  const ranMs = needs.clock.now().getTime() - (startedAt?.getTime() ?? 0)
  return conversation.turn !== undefined || ranMs > SESSION_LIMITS.leastProcessMs
}
