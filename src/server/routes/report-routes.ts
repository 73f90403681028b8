import type { OpenAPIHono } from '@hono/zod-openapi'
import type { z } from 'zod'
import type { reportQuerySchema } from '../../contract/report.ts'
import { listReportsRoute } from '../../contract/routes/report-routes.ts'
import { parseId } from '../../domain/id.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { ReportRequest } from '../../engine/reports/list-reports.ts'
import { type JobNotFound, type NotFound, parseJobId } from '../find-record.ts'
import { refuse } from '../refuse.ts'
import { reportToWire } from '../render/report-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

/** Comes before the routes of one job, so that `report` is not taken for an id. */
export function addReportRoutes(
  needs: Pick<ServerNeeds, 'evidence'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listReportsRoute, async (context) => {
    const request = requestOf(context.req.valid('query'))
    if (!request.ok) return refuse(context, request.failure)
    const reports = await needs.evidence.reports(request.value)
    if (!reports.ok) return refuse(context, reports.failure)
    return context.json(succeed({ items: reports.value.map(reportToWire) }), 200)
  })
}

function requestOf({
  job,
  project,
  limit,
}: z.output<typeof reportQuerySchema>): Result<ReportRequest, JobNotFound | NotFound> {
  const jobId = job === undefined ? undefined : parseJobId(job)
  if (jobId?.ok === false) return jobId
  const projectId = project === undefined ? undefined : parseId('project', project)
  if (project !== undefined && projectId === undefined) {
    return failure({ type: 'not-found', what: 'project', id: project })
  }
  return success({
    limit,
    ...(jobId === undefined ? {} : { jobId: jobId.value }),
    ...(projectId === undefined ? {} : { projectId }),
  })
}
