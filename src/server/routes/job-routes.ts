import type { OpenAPIHono } from '@hono/zod-openapi'
import { getJobRoute, listJobsRoute, startJobRoute } from '../../contract/routes/job-routes.ts'
import { findJob } from '../find-record.ts'
import { refuse } from '../refuse.ts'
import { jobSummaryToWire } from '../render/job-to-wire.ts'
import { showJob } from '../render/show-job.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'
import { toStartRequest } from '../to-start-request.ts'

export function addJobRoutes(
  needs: Pick<ServerNeeds, 'store' | 'jobs' | 'clock'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(startJobRoute, async (context) => {
    const request = toStartRequest(context.req.valid('json'))
    if (!request.ok) return refuse(context, request.failure)
    const started = await needs.jobs.start(request.value, context.req.valid('header')['idempotency-key'])
    if (!started.ok) return refuse(context, started.failure)
    return context.json(succeed(await showJob(needs, started.value)), 201)
  })

  app.openapi(listJobsRoute, async (context) => {
    const { limit, cursor, user, status } = context.req.valid('query')
    const filter = {
      ...(user === undefined ? {} : { userId: user }),
      ...(status === undefined ? {} : { status }),
    }
    const page = { limit: limit + 1, ...(cursor === undefined ? {} : { cursor }) }
    const jobs = await needs.store.read.jobs.list(filter, page)
    const shown = jobs.slice(0, limit)
    const next = jobs.length > limit ? shown.at(-1) : undefined
    const items = shown.map((job) => jobSummaryToWire(job, needs.clock.now()))
    return context.json(succeed({ items, ...(next === undefined ? {} : { nextCursor: next.id }) }), 200)
  })

  app.openapi(getJobRoute, async (context) => {
    const found = await findJob(needs, context.req.valid('param').id)
    if (!found.ok) return refuse(context, found.failure)
    return context.json(succeed(await showJob(needs, found.value)), 200)
  })
}
