import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  getSessionRoute,
  listSessionEventsRoute,
  listSessionsRoute,
} from '../../contract/routes/session-routes.ts'
import type { SessionQuery } from '../../contract/session-query.ts'
import { streamOf } from '../../domain/event/job-event.ts'
import type { JobId } from '../../domain/id.ts'
import type { SessionFilter } from '../../ports/store/session-records.ts'
import { findJob, findSession } from '../find-record.ts'
import { pageOf } from '../page-of.ts'
import { recentCount } from '../recent-count.ts'
import { refuse } from '../refuse.ts'
import { eventToWire } from '../render/event-to-wire.ts'
import { sessionsToWire, sessionWithTask } from '../render/sessions-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

const LIVE = ['starting', 'running', 'suspended', 'terminating'] as const

export function addSessionRoutes(
  needs: Pick<ServerNeeds, 'store' | 'feed'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listSessionsRoute, async (context) => {
    const query = context.req.valid('query')
    const job = query.job === undefined ? undefined : await findJob(needs, query.job)
    if (job?.ok === false) return refuse(context, job.failure)
    const found = await needs.store.read.sessions.list(filterOf(query, job?.value.id), recentCount(query))
    const page = pageOf(found, query, (session) => session)
    return context.json(succeed({ ...page, items: await sessionsToWire(needs, page.items) }), 200)
  })

  app.openapi(getSessionRoute, async (context) => {
    const session = await findSession(needs, context.req.valid('param').id)
    if (!session.ok) return refuse(context, session.failure)
    return context.json(succeed(await sessionWithTask(needs, session.value)), 200)
  })

  app.openapi(listSessionEventsRoute, async (context) => {
    const session = await findSession(needs, context.req.valid('param').id)
    if (!session.ok) return refuse(context, session.failure)
    const { after = 0, limit, tail } = context.req.valid('query')
    const { id: sessionId, jobId } = session.value
    const stream = streamOf({ sessionId, ...(jobId === undefined ? {} : { jobId }) })
    const events =
      tail === undefined
        ? await needs.feed.read(stream, after, limit, { sessionId })
        : await needs.feed.tail(stream, tail, { sessionId })
    const lastSeq = events.at(-1)?.seq
    const page = { items: events.map(eventToWire), ...(lastSeq === undefined ? {} : { lastSeq }) }
    return context.json(succeed(page), 200)
  })
}

function filterOf(query: SessionQuery, jobId: JobId | undefined): SessionFilter {
  const { agent, role, status, purpose, resumable } = query
  return {
    ...(jobId === undefined ? {} : { jobId }),
    ...(agent === undefined ? {} : { agentName: agent }),
    ...(role === undefined ? {} : { role }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(status === undefined ? {} : { status: status === 'live' ? LIVE : [status] }),
    ...(resumable === undefined ? {} : { isResumable: true }),
  }
}
