import { SESSION_OVER_EVENT, type WireSessionOver } from '../../contract/event.ts'
import { type StoredEvent, streamOf } from '../../domain/event/event.ts'
import { endingOf } from '../../domain/session/ending.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import type { Queries } from '../../engine/queries/queries.ts'
import type { EventFeed } from '../../ports/event-feed.ts'
import { eventToWire } from '../render/event-to-wire.ts'
import type { EventSource } from './event-source.ts'
import { createPageReader } from './page-reader.ts'
import { encodeMessage, type SseMessage } from './sse-message.ts'

type Needs = { readonly queries: Queries; readonly feed: Pick<EventFeed, 'read'> }

/** A session's events after a place, until the session is over and all of them were given. */
export function createSessionEventSource(needs: Needs, found: Session, after: number): EventSource {
  const stream = streamOf({
    ...(found.jobId === undefined ? {} : { jobId: found.jobId }),
    sessionId: found.id,
  })
  let session = found
  let last = after
  const readPage = createPageReader(
    (limit) => needs.feed.read(stream, last, limit, { sessionId: found.id }),
    toMessage,
  )
  return {
    async next() {
      const page = await readPage()
      last = page.sent.at(-1)?.seq ?? last
      if (page.sent.some((event) => event.type === 'session_ended')) {
        const current = await needs.queries.findSession(found.id)
        if (current.ok) session = current.value
      }
      const { state } = session
      const isOver = state.type === 'terminated'
      if (page.sent.length > 0) return { type: 'batch', text: page.text, isMore: page.isMore || isOver }
      return isOver ? { type: 'end', text: encodeMessage(overOf(session, state.end)) } : { type: 'nothing' }
    },
  }
}

function toMessage(event: StoredEvent): SseMessage {
  return { id: String(event.seq), event: event.type, data: eventToWire(event) }
}

function overOf(session: Session, end: SessionEnd): SseMessage {
  const ending = endingOf(end, session.talk.dialogue !== undefined)
  const data: WireSessionOver = { sessionId: session.id, end, ending }
  return { event: SESSION_OVER_EVENT, data }
}
