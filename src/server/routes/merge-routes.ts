import type { OpenAPIHono } from '@hono/zod-openapi'
import { getMergeRoute, mergeJobRoute } from '../../contract/routes/report-routes.ts'
import { parseJobId } from '../find-record.ts'
import { refuse } from '../refuse.ts'
import { mergeToWire } from '../render/merge-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

export function addMergeRoutes(
  { evidence }: Pick<ServerNeeds, 'evidence'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(mergeJobRoute, async (context) => {
    const jobId = parseJobId(context.req.valid('param').id)
    if (!jobId.ok) return refuse(context, jobId.failure)
    const merge = await evidence.merge(jobId.value)
    if (!merge.ok) return refuse(context, merge.failure)
    return context.json(succeed(mergeToWire(merge.value)), merge.value.state.type === 'checking' ? 202 : 200)
  })

  app.openapi(getMergeRoute, async (context) => {
    const jobId = parseJobId(context.req.valid('param').id)
    if (!jobId.ok) return refuse(context, jobId.failure)
    const merge = await evidence.mergeOf(jobId.value)
    if (!merge.ok) return refuse(context, merge.failure)
    return context.json(succeed(mergeToWire(merge.value)), 200)
  })
}
