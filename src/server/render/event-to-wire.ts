import type { KnownEvent, KnownEventPage } from '../../contract/event.ts'
import type { StoredEvent } from '../../domain/event/event.ts'
import type { EncodedEvent, FeedEvent } from '../../ports/event-feed.ts'

export function eventToWire(event: StoredEvent): KnownEvent {
  const at = event.at.toISOString()
  if (event.type !== 'agent_message') return { ...event, at }
  // Added here instead of stored, because it would be stored with every line.
  return { ...event, at, data: { ...event.data, agentSessionId: event.sessionId } }
}

/** `eventToWire` as JSON text, for streams: the data of an event is passed on without being parsed. */
export function encodeEvent({ data, ...event }: EncodedEvent | FeedEvent): string {
  const envelope = JSON.stringify(event)
  return `${envelope.slice(0, -1)},"data":${event.type === 'agent_message' ? withSession(data, event) : data}}`
}

function withSession(data: string, { sessionId }: Pick<EncodedEvent, 'sessionId'>): string {
  return `${data.slice(0, -1)},"agentSessionId":${JSON.stringify(sessionId)}}`
}

export function eventPageToWire(events: readonly StoredEvent[]): KnownEventPage {
  const lastSeq = events.at(-1)?.seq
  return { items: events.map(eventToWire), ...(lastSeq === undefined ? {} : { lastSeq }) }
}
