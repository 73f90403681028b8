import { type NewEvent, type StoredEvent, streamOf } from '../../domain/event/job-event.ts'
import type { EventFeed, EventFilter, FeedEvent } from '../../ports/event-feed.ts'
import { NOW } from './sample-records.ts'

export type MemoryFeed = EventFeed & {
  append(...events: readonly NewEvent[]): void
  subscriberCount(): number
  /** How many events were handed out by reads so far. */
  readCount(): number
}

/** The event log in an array. Every read takes a turn of the event loop, as a database's would. */
export function createMemoryFeed(): MemoryFeed {
  const log: FeedEvent[] = []
  const subscribers = new Set<{ readonly topic: string; readonly onWake: () => void }>()
  let reads = 0
  const select = async (keep: (event: FeedEvent) => boolean, limit: number) => {
    await new Promise((resolve) => setImmediate(resolve))
    const found: FeedEvent[] = []
    for (const event of log) {
      if (found.length === limit) break
      if (keep(event)) found.push(event)
    }
    reads += found.length
    return found
  }
  return {
    append(...events) {
      for (const event of events) {
        const seq = log.filter((earlier) => streamOf(earlier) === streamOf(event)).length + 1
        log.push({ ...event, seq, at: NOW, cursor: `${log.length + 1}.0` })
      }
      for (const { topic, onWake } of subscribers) {
        if (topic === 'all' || events.some((event) => streamOf(event) === topic)) onWake()
      }
    },
    subscriberCount: () => subscribers.size,
    readCount: () => reads,
    read: (stream, after, limit, filter) =>
      select((event) => streamOf(event) === stream && event.seq > after && passes(event, filter), limit),
    tail: async (stream, count, filter) =>
      log.filter((event) => streamOf(event) === stream && passes(event, filter)).slice(-count),
    readAll: (after, limit) => {
      const place = Number(after ?? 0)
      return select((event) => Number(event.cursor) > place, limit)
    },
    latest: async () => log.at(-1)?.cursor,
    subscribe(topic, onWake) {
      const subscriber = { topic, onWake }
      subscribers.add(subscriber)
      return { [Symbol.dispose]: () => subscribers.delete(subscriber) }
    },
  }
}

function passes(event: StoredEvent, filter: EventFilter = {}): boolean {
  const isOfTask = filter.taskId === undefined || event.taskId === filter.taskId
  return isOfTask && (filter.sessionId === undefined || event.sessionId === filter.sessionId)
}
