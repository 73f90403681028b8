import type { WireEvent, WireEventPage, WireFeedEvent } from '../../contract/event.ts'
import type { StoredEvent } from '../../domain/event/job-event.ts'
import type { FeedEvent } from '../../ports/event-feed.ts'

export function eventToWire(event: StoredEvent): WireEvent {
  const { seq, type, jobId, cycle, taskId, attemptId, sessionId, at, data } = event
  return {
    seq,
    type,
    ...(jobId === undefined ? {} : { jobId }),
    ...(cycle === undefined ? {} : { cycle }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(attemptId === undefined ? {} : { attemptId }),
    ...(sessionId === undefined ? {} : { sessionId }),
    at: at.toISOString(),
    // Said here and not stored: it would be stored with every line.
    data: type === 'agent_message' ? { ...data, agentSessionId: sessionId } : data,
  }
}

export function feedEventToWire(event: FeedEvent): WireFeedEvent {
  return { ...eventToWire(event), cursor: event.cursor }
}

export function eventPageToWire(events: readonly StoredEvent[]): WireEventPage {
  const lastSeq = events.at(-1)?.seq
  return { items: events.map(eventToWire), ...(lastSeq === undefined ? {} : { lastSeq }) }
}
