import type { OpenAPIHono } from '@hono/zod-openapi'
import { getSessionRoute, listSessionsRoute } from '../../contract/routes/record-routes.ts'
import { findJob, findRecord } from '../find-record.ts'
import { pageOf } from '../page-of.ts'
import { recentCount } from '../recent-count.ts'
import { refuse } from '../refuse.ts'
import { sessionToWire } from '../render/session-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

export function addSessionRoutes(
  needs: Pick<ServerNeeds, 'store'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  const { sessions } = needs.store.read

  app.openapi(listSessionsRoute, async (context) => {
    const { job: jobText, ...query } = context.req.valid('query')
    if (jobText === undefined) {
      const recent = await sessions.listRecent(recentCount(query))
      return context.json(succeed(pageOf(recent, query, sessionToWire)), 200)
    }
    const job = await findJob(needs, jobText)
    if (!job.ok) return refuse(context, job.failure)
    return context.json(succeed(pageOf(await sessions.listOfJob(job.value.id), query, sessionToWire)), 200)
  })

  app.openapi(getSessionRoute, async (context) => {
    const session = await findRecord('session', context.req.valid('param').id, (id) => sessions.find(id))
    if (!session.ok) return refuse(context, session.failure)
    return context.json(succeed(sessionToWire(session.value)), 200)
  })
}
