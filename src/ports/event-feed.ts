import type { EventType, StoredEvent } from '../domain/event/event.ts'
import type { EventPlace } from '../domain/event/event-place.ts'
import type { StreamId } from '../domain/id.ts'

/** A position in the feed of all jobs: opaque to clients, comparable only by the feed. */
export type FeedCursor = string

/** An event for readers that only pass it on: its data is JSON text, as it is stored. */
export type EncodedEvent = EventPlace & {
  readonly seq: number
  readonly type: EventType
  readonly at: Date
  /** A JSON object. */
  readonly data: string
}

export type FeedEvent = EncodedEvent & { readonly cursor: FeedCursor }

export type EventFilter = {
  readonly taskId?: string
  readonly sessionId?: string
}

/**
 * Reads the event log and wakes subscribers when it grows.
 *
 * Contract: `read` returns a stream's events after `after` in sequence, without gaps, and `readEncoded` the same events.
 * `readAll` returns the events of all jobs in an order in which nothing can appear before a position already read. A
 * wake may be spurious but is never lost: after a broken connection, every subscriber is woken.
 */
export interface EventFeed {
  read(stream: StreamId, after: number, limit: number, filter?: EventFilter): Promise<readonly StoredEvent[]>
  readEncoded(
    stream: StreamId,
    after: number,
    limit: number,
    filter?: EventFilter,
  ): Promise<readonly EncodedEvent[]>
  /** The last `count` events of a stream that pass the filter, oldest first. */
  tail(stream: StreamId, count: number, filter?: EventFilter): Promise<readonly StoredEvent[]>
  readAll(after: FeedCursor | undefined, limit: number): Promise<readonly FeedEvent[]>
  /** Where a client that wants only new events begins. */
  latest(): Promise<FeedCursor | undefined>
  subscribe(stream: StreamId | 'all', onWake: () => void): Disposable
}
