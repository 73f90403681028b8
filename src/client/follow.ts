import type { z } from 'zod'
import {
  CONNECTED_EVENT,
  feedConnectedSchema,
  JOB_ENDED_EVENT,
  receivedEventSchema,
  receivedFeedEventSchema,
  SESSION_OVER_EVENT,
  type WireEvent,
  type WireFeedEvent,
} from '../contract/event.ts'
import { parseJson } from '../contract/parse-json.ts'
import { streamEventsRoute } from '../contract/routes/daemon-routes.ts'
import { streamJobRoute } from '../contract/routes/job-routes.ts'
import { streamSessionRoute } from '../contract/routes/session-routes.ts'
import { badAnswerError } from './api-error.ts'
import type { CallNeeds } from './call-route.ts'
import { FollowError } from './follow-error.ts'
import { type FollowOptions, followStream, type Reading } from './follow-stream.ts'
import type { ServerEvent } from './read-server-events.ts'

export type FollowJobOptions = FollowOptions & {
  /** Sequence of the last event already seen; absent: from the beginning. */
  readonly after?: number | undefined
}

export type FollowSessionOptions = FollowJobOptions

export type FollowAllOptions = FollowOptions & {
  /** Cursor of the last event already seen; empty: from the beginning; absent: only what is new. */
  readonly after?: string | undefined
}

/** A job's events in order, each once, until the job has ended. */
export function followJob(
  needs: CallNeeds,
  id: string,
  { after = 0, ...options }: FollowJobOptions = {},
): AsyncGenerator<WireEvent, void> {
  const stream = { route: streamJobRoute, params: { id }, after: String(after) }
  return followStream(needs, { ...stream, read: readSequencedEvent(JOB_ENDED_EVENT) }, options)
}

/** A session's events in order, each once, until the session has ended. */
export function followSession(
  needs: CallNeeds,
  id: string,
  { after = 0, ...options }: FollowSessionOptions = {},
): AsyncGenerator<WireEvent, void> {
  const stream = { route: streamSessionRoute, params: { id }, after: String(after) }
  return followStream(needs, { ...stream, read: readSequencedEvent(SESSION_OVER_EVENT) }, options)
}

/** Events of all jobs, each once, until the signal fires. */
export function followAll(
  needs: CallNeeds,
  { after, ...options }: FollowAllOptions = {},
): AsyncGenerator<WireFeedEvent, void> {
  return followStream(needs, { route: streamEventsRoute, after, read: readFeedEvent }, options)
}

/** Reads a stream whose places are the sequences of its events and that ends with a mark of this name. */
function readSequencedEvent(endMark: string) {
  return (message: ServerEvent, place: string | undefined): Reading<WireEvent> => {
    if (message.event === endMark) return { type: 'end' }
    if (message.event === CONNECTED_EVENT) return { type: 'nothing' }
    const event = parseEvent(receivedEventSchema, message)
    if (event.seq <= Number(place ?? 0)) return { type: 'nothing' }
    return { type: 'item', item: event, place: String(event.seq) }
  }
}

function readFeedEvent(message: ServerEvent, place: string | undefined): Reading<WireFeedEvent> {
  if (message.event === CONNECTED_EVENT) {
    const connected = feedConnectedSchema.safeParse(parseJson(message.data))
    // An empty log has no cursor: every event is new, so start from the beginning.
    return { type: 'place', place: (connected.success ? connected.data.cursor : undefined) ?? place ?? '' }
  }
  const event = parseEvent(receivedFeedEventSchema, message)
  if (event.cursor === place) return { type: 'nothing' }
  return { type: 'item', item: event, place: event.cursor }
}

function parseEvent<Event>(schema: z.ZodType<Event>, message: ServerEvent): Event {
  const parsed = schema.safeParse(parseJson(message.data))
  if (parsed.success) return parsed.data
  throw new FollowError(badAnswerError(200, `event ${message.id}: ${parsed.error.message}`))
}
