import type { OpenAPIHono } from '@hono/zod-openapi'
import { listLandingsRoute } from '../../contract/routes/record-routes.ts'
import { findJob } from '../find-record.ts'
import { pageOf } from '../page-of.ts'
import { refuse } from '../refuse.ts'
import { landingToWire } from '../render/landing-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

export function addLandingRoutes(
  needs: Pick<ServerNeeds, 'store'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listLandingsRoute, async (context) => {
    const { job: jobText, ...query } = context.req.valid('query')
    const job = await findJob(needs, jobText)
    if (!job.ok) return refuse(context, job.failure)
    const { landings, candidates } = needs.store.read
    const [ofJob, tried] = await Promise.all([
      landings.listOfJob(job.value.id),
      candidates.listOfJob(job.value.id),
    ])
    return context.json(succeed(pageOf(ofJob, query, (landing) => landingToWire(landing, tried))), 200)
  })
}
