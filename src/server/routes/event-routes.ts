import type { OpenAPIHono } from '@hono/zod-openapi'
import { listEventsRoute } from '../../contract/routes/job-routes.ts'
import { findJob } from '../find-record.ts'
import { refuse } from '../refuse.ts'
import { eventToWire } from '../render/event-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

export function addEventRoutes(
  needs: Pick<ServerNeeds, 'store' | 'feed'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listEventsRoute, async (context) => {
    const job = await findJob(needs, context.req.valid('param').id)
    if (!job.ok) return refuse(context, job.failure)
    const { after = 0, limit, tail, task, session } = context.req.valid('query')
    const filter = {
      ...(task === undefined ? {} : { taskId: task }),
      ...(session === undefined ? {} : { sessionId: session }),
    }
    const events =
      tail === undefined
        ? await needs.feed.read(job.value.id, after, limit, filter)
        : await needs.feed.tail(job.value.id, tail, filter)
    const lastSeq = events.at(-1)?.seq
    const page = { items: events.map(eventToWire), ...(lastSeq === undefined ? {} : { lastSeq }) }
    return context.json(succeed(page), 200)
  })
}
