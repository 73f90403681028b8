import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  getApprovalDiffRoute,
  getJobDiffRoute,
  getMergeRoute,
  getTaskDiffRoute,
  listReportsRoute,
  mergeJobRoute,
} from '../../contract/routes/report-routes.ts'
import { parseJobId } from '../../engine/queries/find-record.ts'
import { answer, succeed } from '../answer.ts'
import { refuse } from '../refuse.ts'
import { mergeToWire } from '../render/merge-to-wire.ts'
import { reportToWire } from '../render/report-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

/** Comes before the routes of one job, so that `report` is not taken for an id. */
export function addReportRoutes(
  { queries, jobs }: Pick<ServerNeeds, 'queries' | 'jobs'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listReportsRoute, async (context) => {
    const reports = await queries.reports(context.req.valid('query'))
    return answer(context, reports, (found) => ({ items: found.map(reportToWire) }))
  })

  app.openapi(getTaskDiffRoute, async (context) => {
    const diff = await queries.diff({ of: 'task', id: context.req.valid('param').id })
    return answer(context, diff, (found) => found)
  })

  app.openapi(getApprovalDiffRoute, async (context) => {
    const diff = await queries.diff({ of: 'approval', id: context.req.valid('param').id })
    return answer(context, diff, (found) => found)
  })

  app.openapi(getJobDiffRoute, async (context) => {
    const diff = await queries.diff({ of: 'job', id: context.req.valid('param').id })
    return answer(context, diff, (found) => found)
  })

  app.openapi(getMergeRoute, async (context) => {
    const merge = await queries.merge(context.req.valid('param').id)
    return answer(context, merge, mergeToWire)
  })

  app.openapi(mergeJobRoute, async (context) => {
    const jobId = parseJobId(context.req.valid('param').id)
    const merge = jobId.ok ? await jobs.merge(jobId.value) : jobId
    if (!merge.ok) return refuse(context, merge.failure)
    return context.json(succeed(mergeToWire(merge.value)), merge.value.state.type === 'checking' ? 202 : 200)
  })
}
