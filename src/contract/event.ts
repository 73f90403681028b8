import { z } from 'zod'
import { agentMessageEvents } from './events/agent-message.ts'
import { approvalEvents } from './events/approval-events.ts'
import { budgetEvents } from './events/budget-events.ts'
import { cycleEvents } from './events/cycle-events.ts'
import { documentEvents } from './events/document-events.ts'
import { eventPlaceShape } from './events/event-schema.ts'
import { jobEvents } from './events/job-events.ts'
import { landingEvents } from './events/landing-events.ts'
import { messageEvents } from './events/message-events.ts'
import { sessionEvents } from './events/session-events.ts'
import { taskEvents } from './events/task-events.ts'
import { jobStatusSchema } from './job.ts'
import { sessionStatusSchema } from './session.ts'
import { endingSchema, sessionEndSchema } from './session-end.ts'

/**
 * One event of a stream: a job's, or that of a session outside any job. `seq` is gapless within the stream and is
 * the id on its SSE stream.
 */
export const eventSchema = z
  .discriminatedUnion('type', [
    ...jobEvents,
    ...cycleEvents,
    ...taskEvents,
    ...agentMessageEvents,
    ...landingEvents,
    ...sessionEvents,
    ...approvalEvents,
    ...messageEvents,
    ...documentEvents,
    ...budgetEvents,
  ])
  .meta({ id: 'Event' })

/** For unions with what is not an event: the OpenAPI document refers to it by name instead of listing its members. */
export const streamedEventSchema = eventSchema.readonly()

const cursor = z.object({ cursor: z.string() })

/** An event in the feed of all jobs; `cursor` is its place there and the id on that SSE stream. */
export const feedEventSchema = eventSchema.and(cursor).meta({ id: 'FeedEvent' })

/** Events of a job or a session, oldest first; ask again after `lastSeq` for what follows. */
export const eventPageSchema = z.object({ items: z.array(eventSchema), lastSeq: z.number().optional() })

/** An event that this version cannot read: of a newer daemon, or stored by an older one. `raw` is all of it. */
const unknownEventSchema = z
  .looseObject({ ...eventPlaceShape, type: z.string(), data: z.record(z.string(), z.unknown()) })
  .transform((raw) => ({ ...placeOf(raw), type: 'unknown' as const, raw }))

function placeOf({ seq, jobId, cycle, taskId, attemptId, sessionId, at }: z.infer<typeof placeSchema>) {
  return { seq, jobId, cycle, taskId, attemptId, sessionId, at }
}

const placeSchema = z.object(eventPlaceShape)

/** What a client reads instead of the schemas above, so that an event it does not know does not stop it. */
export const receivedEventSchema = z.union([eventSchema, unknownEventSchema])
export const receivedFeedEventSchema = receivedEventSchema.and(cursor)
export const receivedEventPageSchema = z.object({
  items: z.array(receivedEventSchema),
  lastSeq: z.number().optional(),
})

/** First on every job's SSE stream: the state at the moment of connecting. It has no id. */
export const connectedSchema = z
  .object({ jobId: z.string(), status: jobStatusSchema, currentCycle: z.number(), after: z.number() })
  .meta({ id: 'Connected' })

/** Last on a job's SSE stream, when the job is over and all was sent. It has no id. */
export const jobEndedSchema = z
  .object({ jobId: z.string(), status: jobStatusSchema, reason: z.string().optional() })
  .meta({ id: 'JobEnded' })

/** First on every session's SSE stream. It has no id. */
export const sessionConnectedSchema = z
  .object({ sessionId: z.string(), status: sessionStatusSchema, after: z.number() })
  .meta({ id: 'SessionConnected' })

/** Last on a session's SSE stream, when the session is over and all was sent. It has no id. */
export const sessionOverSchema = z
  .object({ sessionId: z.string(), end: sessionEndSchema, ending: endingSchema })
  .meta({ id: 'SessionOver' })

/** First on the SSE stream of all jobs; without a cursor the log is empty. */
export const feedConnectedSchema = z.object({ cursor: z.string().optional() }).meta({ id: 'FeedConnected' })

/** SSE event names that are not events of a stream. */
export const CONNECTED_EVENT = 'connected'
export const JOB_ENDED_EVENT = 'job_ended'
export const SESSION_OVER_EVENT = 'session_over'

/** What this version's daemon sends. */
export type KnownEvent = z.infer<typeof eventSchema>
export type KnownEventPage = z.infer<typeof eventPageSchema>
export type KnownFeedEvent = z.infer<typeof feedEventSchema>
/** What a client receives. */
export type WireEvent = z.infer<typeof receivedEventSchema>
/** The event of one type. */
export type WireEventOf<Type extends WireEvent['type']> = Extract<WireEvent, { type: Type }>
export type WireFeedEvent = z.infer<typeof receivedFeedEventSchema>
export type WireEventPage = z.infer<typeof receivedEventPageSchema>
export type WireConnected = z.infer<typeof connectedSchema>
export type WireJobEnded = z.infer<typeof jobEndedSchema>
export type WireSessionConnected = z.infer<typeof sessionConnectedSchema>
export type WireSessionOver = z.infer<typeof sessionOverSchema>
