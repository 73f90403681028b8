import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  editGoalRoute,
  editTaskListRoute,
  listDocumentsRoute,
} from '../../contract/routes/job-document-routes.ts'
import type { JobId } from '../../domain/id.ts'
import type { DocumentKind, JobDocument } from '../../domain/job/job-document.ts'
import { findJob, parseJobId } from '../find-record.ts'
import { pageOf } from '../page-of.ts'
import { refuse } from '../refuse.ts'
import { documentToWire } from '../render/document-to-wire.ts'
import { showJob } from '../render/show-job.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

export function addJobDocumentRoutes(
  needs: Pick<ServerNeeds, 'store' | 'jobs' | 'clock'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(editGoalRoute, async (context) => {
    const { requestDocument } = context.req.valid('json')
    const edited = await edit(needs, context.req.valid('param').id, 'goal', requestDocument)
    if (!edited.ok) return refuse(context, edited.failure)
    return context.json(succeed(await showJob(needs, edited.value)), 200)
  })

  app.openapi(editTaskListRoute, async (context) => {
    const { taskList } = context.req.valid('json')
    const edited = await edit(needs, context.req.valid('param').id, 'task-list', taskList)
    if (!edited.ok) return refuse(context, edited.failure)
    return context.json(succeed(await showJob(needs, edited.value)), 200)
  })

  app.openapi(listDocumentsRoute, async (context) => {
    const job = await findJob(needs, context.req.valid('param').id)
    if (!job.ok) return refuse(context, job.failure)
    const { kind, ...page } = context.req.valid('query')
    const versions = await versionsOf(needs, job.value.id, kind)
    return context.json(succeed(pageOf(versions, page, documentToWire)), 200)
  })
}

async function edit(needs: Pick<ServerNeeds, 'jobs'>, text: string, kind: DocumentKind, document: string) {
  const jobId = parseJobId(text)
  return jobId.ok ? needs.jobs.edit(jobId.value, kind, document) : jobId
}

type Version = JobDocument & { readonly id: string }

/** Newest first, each with a name that a page can go on from. */
async function versionsOf(
  needs: Pick<ServerNeeds, 'store'>,
  jobId: JobId,
  kind: DocumentKind | undefined,
): Promise<readonly Version[]> {
  const kinds = kind === undefined ? (['goal', 'task-list'] as const) : [kind]
  const lists = await Promise.all(kinds.map((one) => needs.store.read.documents.listOf(jobId, one)))
  return lists
    .flat()
    .map((document) => ({ ...document, id: `${document.kind}.${document.number}` }))
    .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime() || other.number - one.number)
}
