import { z } from 'zod'
import { instantSchema } from './instant.ts'
import { jobStatusSchema } from './job.ts'
import { sessionStatusSchema } from './session.ts'
import { endingSchema, sessionEndSchema } from './session-end.ts'

/**
 * One event of a stream: a job's, or that of a session outside of any job. `seq` is gapless within the stream and is
 * the id on its SSE stream.
 */
export const eventSchema = z
  .object({
    seq: z.number(),
    type: z.string(),
    jobId: z.string().optional(),
    cycle: z.number().optional(),
    taskId: z.string().optional(),
    attemptId: z.string().optional(),
    sessionId: z.string().optional(),
    at: instantSchema,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event' })

/** An event in the feed of all jobs; `cursor` is its place there and the id on that SSE stream. */
export const feedEventSchema = z
  .object({ ...eventSchema.shape, cursor: z.string() })
  .meta({ id: 'FeedEvent' })

/** Events of a job or a session, oldest first; ask again after `lastSeq` for what follows. */
export const eventPageSchema = z.object({ items: z.array(eventSchema), lastSeq: z.number().optional() })

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

export type WireEvent = z.infer<typeof eventSchema>
export type WireFeedEvent = z.infer<typeof feedEventSchema>
export type WireEventPage = z.infer<typeof eventPageSchema>
export type WireConnected = z.infer<typeof connectedSchema>
export type WireJobEnded = z.infer<typeof jobEndedSchema>
export type WireSessionConnected = z.infer<typeof sessionConnectedSchema>
export type WireSessionOver = z.infer<typeof sessionOverSchema>
