import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { CONNECTED_EVENT, type WireConnected, type WireSessionConnected } from '../../contract/event.ts'
import { streamEventsRoute } from '../../contract/routes/daemon-routes.ts'
import { streamJobRoute } from '../../contract/routes/job-routes.ts'
import { streamSessionRoute } from '../../contract/routes/session-routes.ts'
import type { Job } from '../../domain/job/job.ts'
import { success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import { parseJobId } from '../../engine/queries/find-record.ts'
import { refuse } from '../refuse.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { createFeedEventSource } from '../sse/feed-event-source.ts'
import { createJobEventSource } from '../sse/job-event-source.ts'
import { lastCursor, lastSequence } from '../sse/last-event-id.ts'
import { createSessionEventSource } from '../sse/session-event-source.ts'
import type { SseMessage } from '../sse/sse-message.ts'
import { type StreamNeeds, streamResponse } from '../sse/stream-response.ts'

/** A wake for the feed can come before what it is for may be read, so that stream looks again by itself. */
const FEED_REST_MS = 1_000

export function addStreamRoutes(
  needs: Pick<ServerNeeds, 'queries'> & StreamNeeds,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(streamJobRoute, async (context) => {
    const jobId = parseJobId(context.req.valid('param').id)
    if (!jobId.ok) return refuse(context, jobId.failure)
    const after = lastSequence(context)
    if (!after.ok) return refuse(context, after.failure)
    if (context.req.method === 'HEAD') return headOnly(context)
    const streamed = await streamResponse(needs, {
      outgoing: context.env.outgoing,
      topic: jobId.value,
      restMs: needs.times.heartbeatMs,
      async open() {
        const job = await needs.queries.findJob(jobId.value)
        if (!job.ok) return job
        const source = createJobEventSource(needs, job.value, after.value)
        return success({ first: connectedTo(job.value, after.value), source })
      },
    })
    return streamed.ok ? streamed.value : refuse(context, streamed.failure)
  })

  app.openapi(streamSessionRoute, async (context) => {
    const session = await needs.queries.findSession(context.req.valid('param').id)
    if (!session.ok) return refuse(context, session.failure)
    const after = lastSequence(context)
    if (!after.ok) return refuse(context, after.failure)
    if (context.req.method === 'HEAD') return headOnly(context)
    const { id, jobId } = session.value
    const streamed = await streamResponse(needs, {
      outgoing: context.env.outgoing,
      topic: jobId ?? id,
      restMs: needs.times.heartbeatMs,
      async open() {
        const found = await needs.queries.findSession(id)
        if (!found.ok) return found
        const source = createSessionEventSource(needs, found.value, after.value)
        return success({ first: connectedToSession(found.value, after.value), source })
      },
    })
    return streamed.ok ? streamed.value : refuse(context, streamed.failure)
  })

  app.openapi(streamEventsRoute, async (context) => {
    const after = lastCursor(context)
    if (!after.ok) return refuse(context, after.failure)
    if (context.req.method === 'HEAD') return headOnly(context)
    const streamed = await streamResponse(needs, {
      outgoing: context.env.outgoing,
      topic: 'all',
      restMs: FEED_REST_MS,
      async open() {
        const cursor = after.value === undefined ? await needs.feed.latest() : after.value || undefined
        return success({ first: connectedToAll(cursor), source: createFeedEventSource(needs.feed, cursor) })
      },
    })
    return streamed.ok ? streamed.value : refuse(context, streamed.failure)
  })
}

/** Without a body there is nothing to hold open. */
function headOnly(context: Context): Response {
  return context.body(null, 200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

function connectedTo(job: Job, after: number): SseMessage {
  const data: WireConnected = {
    jobId: job.id,
    status: job.state.type,
    currentCycle: job.currentCycle,
    after,
  }
  return { event: CONNECTED_EVENT, data }
}

function connectedToSession(session: Session, after: number): SseMessage {
  const data: WireSessionConnected = { sessionId: session.id, status: session.state.type, after }
  return { event: CONNECTED_EVENT, data }
}

/** This one has the cursor as its id, so that a client that is cut off before any event misses none. */
function connectedToAll(cursor: string | undefined): SseMessage {
  if (cursor === undefined) return { event: CONNECTED_EVENT, data: {} }
  return { id: cursor, event: CONNECTED_EVENT, data: { cursor } }
}
