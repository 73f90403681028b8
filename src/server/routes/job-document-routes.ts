import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  editGoalRoute,
  editTaskListRoute,
  listDocumentsRoute,
} from '../../contract/routes/job-document-routes.ts'
import type { DocumentKind } from '../../domain/job/job-document.ts'
import { type Result, success } from '../../domain/result.ts'
import type { EditJobFailure } from '../../engine/jobs/job-commands.ts'
import { parseJobId } from '../../engine/queries/find-record.ts'
import type { JobView } from '../../engine/queries/job.ts'
import { answer } from '../answer.ts'
import { documentToWire, jobToWire } from '../render/job-to-wire.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

type Needs = Pick<ServerNeeds, 'queries' | 'jobs'>

export function addJobDocumentRoutes(needs: Needs, app: OpenAPIHono<ServerEnvironment>): void {
  app.openapi(editGoalRoute, async (context) => {
    const { requestDocument } = context.req.valid('json')
    const edited = await edit(needs, context.req.valid('param').id, 'goal', requestDocument)
    return answer(context, edited, jobToWire)
  })

  app.openapi(editTaskListRoute, async (context) => {
    const { requestedTasks } = context.req.valid('json')
    const edited = await edit(needs, context.req.valid('param').id, 'task-list', requestedTasks)
    return answer(context, edited, jobToWire)
  })

  app.openapi(listDocumentsRoute, async (context) => {
    const { id: job } = context.req.valid('param')
    const documents = await needs.queries.documents({ job, ...context.req.valid('query') })
    return answer(context, documents, pageToWire(documentToWire))
  })
}

async function edit(
  { queries, jobs }: Needs,
  id: string,
  kind: DocumentKind,
  text: string,
): Promise<Result<JobView, EditJobFailure>> {
  const jobId = parseJobId(id)
  const edited = jobId.ok ? await jobs.edit(jobId.value, kind, text) : jobId
  return edited.ok ? success(await queries.viewJob(edited.value)) : edited
}
