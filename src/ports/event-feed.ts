import type { StoredEvent } from '../domain/event/event.ts'
import type { StreamId } from '../domain/id.ts'

/** A place in the feed of all jobs: opaque to clients, comparable only by the feed. */
export type FeedCursor = string

export type FeedEvent = StoredEvent & { readonly cursor: FeedCursor }

export type EventFilter = {
  readonly taskId?: string
  readonly sessionId?: string
}

/**
 * Reads the event log and says when there is more.
 *
 * Contract: `read` gives a stream's events after `after` in sequence, gapless. `readAll` gives the events of all
 * jobs in an order in which nothing can appear before a place already read. A wake may be spurious and is
 * never lost: after a broken connection every subscriber is woken.
 */
export interface EventFeed {
  read(stream: StreamId, after: number, limit: number, filter?: EventFilter): Promise<readonly StoredEvent[]>
  /** The last `count` events of a stream that pass the filter, oldest first. */
  tail(stream: StreamId, count: number, filter?: EventFilter): Promise<readonly StoredEvent[]>
  readAll(after: FeedCursor | undefined, limit: number): Promise<readonly FeedEvent[]>
  /** The place at which a client that wants only what is new begins. */
  latest(): Promise<FeedCursor | undefined>
  subscribe(stream: StreamId | 'all', onWake: () => void): Disposable
}
