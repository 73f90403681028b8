import {
  CONNECTED_EVENT,
  feedConnectedSchema,
  feedEventSchema,
  type WireFeedEvent,
} from '../contract/event.ts'
import { badAnswerError } from './api-error.ts'
import type { CallNeeds } from './call-needs.ts'
import { FollowError } from './follow-error.ts'
import { type FollowOptions, followStream, type Reading } from './follow-stream.ts'
import { parseJson } from './read-failure.ts'
import type { ServerEvent } from './read-server-events.ts'

export type FollowAllOptions = FollowOptions & {
  /** Cursor of the last event already seen; empty: from the beginning; absent: only what is new. */
  readonly after?: string | undefined
}

/** Events of all jobs, each once, until the signal fires. */
export function followAll(
  needs: CallNeeds,
  options: FollowAllOptions = {},
): AsyncGenerator<WireFeedEvent, void> {
  return followStream(needs, { path: '/api/events', after: options.after, read: readFeedEvent }, options)
}

function readFeedEvent(message: ServerEvent, place: string | undefined): Reading<WireFeedEvent> {
  const value = parseJson(message.data)
  if (message.event === CONNECTED_EVENT) {
    const connected = feedConnectedSchema.safeParse(value)
    // An empty log has no cursor: whatever comes is new, so go on from the beginning.
    return { type: 'place', place: (connected.success ? connected.data.cursor : undefined) ?? place ?? '' }
  }
  const parsed = feedEventSchema.safeParse(value)
  if (!parsed.success)
    throw new FollowError(badAnswerError(200, `event ${message.id}: ${parsed.error.message}`))
  if (parsed.data.cursor === place) return { type: 'nothing' }
  return { type: 'item', item: parsed.data, place: parsed.data.cursor }
}
