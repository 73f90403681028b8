import type { z } from 'zod'
import {
  CONNECTED_EVENT,
  feedConnectedSchema,
  JOB_ENDED_EVENT,
  receivedEventSchema,
  receivedFeedEventSchema,
  SESSION_FINISHED_EVENT,
  type WireEvent,
  type WireFeedEvent,
} from '../contract/event.ts'
import { parseJson } from '../contract/parse-json.ts'
import { streamEventsRoute } from '../contract/routes/daemon-routes.ts'
import { streamJobRoute } from '../contract/routes/job-routes.ts'
import { streamSessionRoute } from '../contract/routes/session-routes.ts'
import { badAnswerError, FollowError } from './api-error.ts'
import type { CallNeeds } from './call-route.ts'
import { type FollowOptions, followStream, type Reading } from './follow-stream.ts'
import type { ServerEvent } from './read-server-events.ts'

export type FollowJobOptions = FollowOptions & {
  /** The sequence number of the last event already seen; if absent, follow from the beginning. */
  readonly after?: number | undefined
}

export type FollowSessionOptions = FollowJobOptions

export type FollowAllOptions = FollowOptions & {
  /** The cursor of the last event already seen; if empty, follow from the beginning; if absent, only new events. */
  readonly after?: string | undefined
}

/** Yields a job's events in order, each once, until the job ends. */
export function followJob(
  needs: CallNeeds,
  id: string,
  { after = 0, ...options }: FollowJobOptions = {},
): AsyncGenerator<WireEvent, void> {
  const stream = { route: streamJobRoute, params: { id }, after: String(after) }
  return followStream(needs, { ...stream, read: readSequencedEvent(JOB_ENDED_EVENT) }, options)
}

/** Yields a session's events in order, each once, until the session ends. */
export function followSession(
  needs: CallNeeds,
  id: string,
  { after = 0, ...options }: FollowSessionOptions = {},
): AsyncGenerator<WireEvent, void> {
  const stream = { route: streamSessionRoute, params: { id }, after: String(after) }
  return followStream(needs, { ...stream, read: readSequencedEvent(SESSION_FINISHED_EVENT) }, options)
}

/** Yields the events of all jobs, each once, until the signal fires. */
export function followAll(
  needs: CallNeeds,
  { after, ...options }: FollowAllOptions = {},
): AsyncGenerator<WireFeedEvent, void> {
  return followStream(needs, { route: streamEventsRoute, after, read: readFeedEvent }, options)
}

/** Reads a stream that is ordered by the sequence numbers of its events and ends with an event of this name. */
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
    // An empty log has no cursor. Every event is new, so start from the beginning.
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
