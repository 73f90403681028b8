import type { KnownEvent, KnownEventPage, KnownFeedEvent } from '../../contract/event.ts'
import type { StoredEvent } from '../../domain/event/event.ts'
import type { FeedEvent } from '../../ports/event-feed.ts'

export function eventToWire(event: StoredEvent): KnownEvent {
  const at = event.at.toISOString()
  if (event.type !== 'agent_message') return { ...event, at }
  // The session is added here and not stored, because it would be stored with every line.
  return { ...event, at, data: { ...event.data, agentSessionId: event.sessionId } }
}

export function feedEventToWire(event: FeedEvent): KnownFeedEvent {
  return { ...eventToWire(event), cursor: event.cursor }
}

export function eventPageToWire(events: readonly StoredEvent[]): KnownEventPage {
  const lastSeq = events.at(-1)?.seq
  return { items: events.map(eventToWire), ...(lastSeq === undefined ? {} : { lastSeq }) }
}
