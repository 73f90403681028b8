import { agentMessage } from '../../../domain/event/agent-message.ts'
import type { NewEvent } from '../../../domain/event/event.ts'
import { sessionPlace } from '../../../domain/event/event-place.ts'
import { plainText } from '../../../domain/plain-text.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { SessionEnd } from '../../../domain/session/session-state.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { lastScreenOf } from './find-setup-end.ts'

const SHOWN_LINES = 10

/**
 * The last lines on the screen of a program that failed. Its terminal goes away with it, so otherwise nothing would say
 * why it failed.
 */
export async function lastScreenEvents(
  needs: Pick<EngineNeeds, 'store' | 'terminals' | 'settings'>,
  session: Session,
  end: SessionEnd,
): Promise<readonly NewEvent[]> {
  const hasFailed = (end.type === 'exited' && end.code !== 0) || end.type === 'unprepared'
  if (!hasFailed && end.type !== 'signalled') return []
  const current = await needs.store.read.sessions.find(session.id)
  // One that was asked to stop has not failed.
  if (current?.state.type !== 'running' && current?.state.type !== 'starting') return []
  const text = needs.settings.redaction.redact(plainText(await lastScreenOf(needs, session)))
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const place = sessionPlace(session)
  return lines
    .slice(-SHOWN_LINES)
    .map((line) => agentMessage(place, session, { type: 'error-output', text: line.trimEnd() }, false))
}
