import type { EventFeed, FeedCursor, FeedEvent } from '../../ports/event-feed.ts'
import { feedEventToWire } from '../render/event-to-wire.ts'
import type { EventSource } from './event-source.ts'
import { createPageReader } from './page-reader.ts'
import type { SseMessage } from './sse-message.ts'

/** The events of all jobs after a place, without an end. */
export function createFeedEventSource(feed: EventFeed, after: FeedCursor | undefined): EventSource {
  let last = after
  const readPage = createPageReader((limit) => feed.readAll(last, limit), toMessage)
  return {
    async next() {
      const page = await readPage()
      last = page.sent.at(-1)?.cursor ?? last
      if (page.sent.length === 0) return { type: 'nothing' }
      return { type: 'batch', text: page.text, isMore: page.isMore }
    },
  }
}

function toMessage(event: FeedEvent): SseMessage {
  return { id: event.cursor, event: event.type, data: feedEventToWire(event) }
}
