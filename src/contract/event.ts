import { z } from 'zod'
import { agentMessageEvents } from './events/agent-message.ts'
import { approvalEvents } from './events/approval-events.ts'
import { baseEvents } from './events/base-events.ts'
import { budgetEvents } from './events/budget-events.ts'
import { cycleEvents } from './events/cycle-events.ts'
import { documentEvents } from './events/document-events.ts'
import { eventEnvelopeShape } from './events/event-schema.ts'
import { jobEvents } from './events/job-events.ts'
import { landingEvents } from './events/landing-events.ts'
import { messageEvents } from './events/message-events.ts'
import { runEvents } from './events/run-events.ts'
import { sessionEvents } from './events/session-events.ts'
import { taskEvents } from './events/task-events.ts'
import { jobStatusSchema } from './job.ts'
import { sessionStatusSchema } from './session.ts'
import { endingSchema, sessionEndSchema } from './session-end.ts'

/**
 * An event in the stream of a job, or of a session outside any job. `seq` has no gaps within the stream and is the id
 * of the event on its SSE stream.
 */
export const eventSchema = z
  .discriminatedUnion('type', [
    ...jobEvents,
    ...baseEvents,
    ...cycleEvents,
    ...taskEvents,
    ...runEvents,
    ...agentMessageEvents,
    ...landingEvents,
    ...sessionEvents,
    ...approvalEvents,
    ...messageEvents,
    ...documentEvents,
    ...budgetEvents,
  ])
  .meta({ id: 'Event' })

/** For unions with other messages: the OpenAPI document refers to `Event` by name instead of listing its members. */
export const streamedEventSchema = eventSchema.readonly()

const cursor = z.object({ cursor: z.string() })

/** An event in the feed of all jobs. `cursor` is its position in the feed and its id on that SSE stream. */
export const feedEventSchema = eventSchema.and(cursor).meta({ id: 'FeedEvent' })

/** Events of a job or a session, oldest first. For the next page, pass `lastSeq` as `after`. */
export const eventPageSchema = z.object({ items: z.array(eventSchema), lastSeq: z.number().optional() })

/** An event this version cannot parse: from a newer daemon, or stored by an older one. `raw` is the whole event. */
const unknownEventSchema = z
  .looseObject({ ...eventEnvelopeShape, type: z.string(), data: z.record(z.string(), z.unknown()) })
  .transform((raw) => ({ ...envelopeOf(raw), type: 'unknown' as const, raw }))

function envelopeOf({ seq, jobId, cycle, taskId, attemptId, sessionId, at }: z.infer<typeof envelopeSchema>) {
  return { seq, jobId, cycle, taskId, attemptId, sessionId, at }
}

const envelopeSchema = z.object(eventEnvelopeShape)

/** Clients parse with these instead of the schemas above, so an unknown event does not break them. */
export const receivedEventSchema = z.union([eventSchema, unknownEventSchema])
export const receivedFeedEventSchema = receivedEventSchema.and(cursor)
export const receivedEventPageSchema = z.object({
  items: z.array(receivedEventSchema),
  lastSeq: z.number().optional(),
})

/** First message on a job's SSE stream: the job's state when the client connected. Has no id. */
export const connectedSchema = z
  .object({ jobId: z.string(), status: jobStatusSchema, currentCycle: z.number(), after: z.number() })
  .meta({ id: 'Connected' })

/** Last message on a job's SSE stream, after the job has ended and every event was sent. Has no id. */
export const jobEndedSchema = z
  .object({ jobId: z.string(), status: jobStatusSchema, reason: z.string().optional() })
  .meta({ id: 'JobEnded' })

/** First message on a session's SSE stream. Has no id. */
export const sessionConnectedSchema = z
  .object({ sessionId: z.string(), status: sessionStatusSchema, after: z.number() })
  .meta({ id: 'SessionConnected' })

/** Last message on a session's SSE stream, after the session has ended and every event was sent. Has no id. */
export const sessionFinishedSchema = z
  .object({ sessionId: z.string(), end: sessionEndSchema, ending: endingSchema })
  .meta({ id: 'SessionFinished' })

/** First message on the SSE stream of all jobs. No cursor means the log is empty. */
export const feedConnectedSchema = z.object({ cursor: z.string().optional() }).meta({ id: 'FeedConnected' })

/** SSE event names of messages that are not in the log. */
export const CONNECTED_EVENT = 'connected'
export const JOB_ENDED_EVENT = 'job_ended'
export const SESSION_FINISHED_EVENT = 'session_finished'

/** What a daemon of this version sends. */
export type KnownEvent = z.infer<typeof eventSchema>
export type KnownEventPage = z.infer<typeof eventPageSchema>
/** What a client receives. */
export type WireEvent = z.infer<typeof receivedEventSchema>
/** The event with one `type`. */
export type WireEventOf<Type extends WireEvent['type']> = Extract<WireEvent, { type: Type }>
export type WireFeedEvent = z.infer<typeof receivedFeedEventSchema>
export type WireEventPage = z.infer<typeof receivedEventPageSchema>
export type WireConnected = z.infer<typeof connectedSchema>
export type WireJobEnded = z.infer<typeof jobEndedSchema>
export type WireSessionConnected = z.infer<typeof sessionConnectedSchema>
export type WireSessionFinished = z.infer<typeof sessionFinishedSchema>
