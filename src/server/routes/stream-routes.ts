import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { CONNECTED_EVENT, type WireConnected, type WireSessionConnected } from '../../contract/event.ts'
import type { EdgeFailure } from '../../contract/failure/api-failure.ts'
import { streamEventsRoute } from '../../contract/routes/daemon-routes.ts'
import { streamJobRoute } from '../../contract/routes/job-routes.ts'
import { streamSessionRoute } from '../../contract/routes/session-routes.ts'
import type { Job } from '../../domain/job/job.ts'
import { HTTP_LIMITS } from '../../domain/limits/http-limits.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import { parseJobId } from '../../engine/queries/find-record.ts'
import { refuse } from '../refuse.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { createFeedEventSource, createJobEventSource, createSessionEventSource } from '../sse/event-source.ts'
import type { SseMessage } from '../sse/sse-message.ts'
import { type StreamNeeds, type StreamPlan, streamResponse } from '../sse/stream-response.ts'

export function addStreamRoutes(
  needs: Pick<ServerNeeds, 'queries'> & StreamNeeds,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(streamJobRoute, async (context) => {
    const jobId = parseJobId(context.req.valid('param').id)
    if (!jobId.ok) return refuse(context, jobId.failure)
    const after = lastSequence(context)
    if (!after.ok) return refuse(context, after.failure)
    return await stream(needs, context, {
      topic: jobId.value,
      idleMs: needs.times.heartbeatMs,
      async open() {
        const job = await needs.queries.findJob(jobId.value)
        if (!job.ok) return job
        const source = createJobEventSource(needs, job.value, after.value)
        return success({ first: connectedTo(job.value, after.value), source })
      },
    })
  })

  app.openapi(streamSessionRoute, async (context) => {
    const session = await needs.queries.findSession(context.req.valid('param').id)
    if (!session.ok) return refuse(context, session.failure)
    const after = lastSequence(context)
    if (!after.ok) return refuse(context, after.failure)
    const { id, jobId } = session.value
    return await stream(needs, context, {
      topic: jobId ?? id,
      idleMs: needs.times.heartbeatMs,
      async open() {
        const found = await needs.queries.findSession(id)
        if (!found.ok) return found
        const source = createSessionEventSource(needs, found.value, after.value)
        return success({ first: connectedToSession(found.value, after.value), source })
      },
    })
  })

  app.openapi(streamEventsRoute, async (context) => {
    const after = lastCursor(context)
    if (!after.ok) return refuse(context, after.failure)
    return await stream(needs, context, {
      topic: 'all',
      idleMs: HTTP_LIMITS.feedPollMs,
      async open() {
        const cursor = after.value === undefined ? await needs.feed.latest() : after.value || undefined
        return success({ first: connectedToAll(cursor), source: createFeedEventSource(needs.feed, cursor) })
      },
    })
  })
}

async function stream(
  needs: StreamNeeds,
  context: Context<ServerEnvironment>,
  plan: Omit<StreamPlan, 'outgoing'>,
) {
  // Without a body there is nothing to hold open.
  if (context.req.method === 'HEAD')
    return context.body(null, 200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const streamed = await streamResponse(needs, { ...plan, outgoing: context.env.outgoing })
  return streamed.ok ? streamed.value : refuse(context, streamed.failure)
}

function connectedTo(job: Job, after: number): SseMessage {
  const data: WireConnected = {
    jobId: job.id,
    status: job.state.type,
    currentCycle: job.currentCycle,
    after,
  }
  return { event: CONNECTED_EVENT, json: JSON.stringify(data) }
}

function connectedToSession(session: Session, after: number): SseMessage {
  const data: WireSessionConnected = { sessionId: session.id, status: session.state.type, after }
  return { event: CONNECTED_EVENT, json: JSON.stringify(data) }
}

/** Has the cursor as its id, so a client that is cut off before any event misses none. */
function connectedToAll(cursor: string | undefined): SseMessage {
  if (cursor === undefined) return { event: CONNECTED_EVENT, json: '{}' }
  return { id: cursor, event: CONNECTED_EVENT, json: JSON.stringify({ cursor }) }
}

type BadRequest = Extract<EdgeFailure, { readonly type: 'bad-request' }>

const SEQUENCE = /^\d{1,15}$/
/** The form of the feed's cursors: numbers and dots, none too large for the database. */
const CURSOR = /^\d{1,18}(\.\d{1,18}){0,2}$/

/** The last sequence number that a client of a job's stream has seen; 0 for none. */
function lastSequence(context: Context): Result<number, BadRequest> {
  const text = lastEventId(context) ?? ''
  if (text === '') return success(0)
  return SEQUENCE.test(text) ? success(Number(text)) : bad('is not the id of an event of this stream')
}

/** The last cursor that a client of the feed has seen; empty for the beginning, absent for only new events. */
function lastCursor(context: Context): Result<string | undefined, BadRequest> {
  const text = lastEventId(context)
  if (text === undefined || text === '') return success(text)
  return CURSOR.test(text) ? success(text) : bad('is not the id of an event of this stream')
}

/** A reconnecting browser keeps its URL and adds the header, so the header is the newer of the two. */
function lastEventId(context: Context): string | undefined {
  return context.req.header('last-event-id') || context.req.query('after')
}

function bad(problem: string): Result<never, BadRequest> {
  return failure({ type: 'bad-request', issues: [{ field: 'last-event-id', problem }] })
}
