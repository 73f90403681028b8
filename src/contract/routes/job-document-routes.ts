import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { pageSchema } from '../envelope.ts'
import { jobSchema } from '../job.ts'
import {
  documentQuerySchema,
  editGoalRequestSchema,
  editTaskListRequestSchema,
  jobDocumentSchema,
} from '../job-document.ts'
import { answers } from './answers.ts'
import { personAccess } from './route-access.ts'

const jobParams = z.object({ id: z.string().max(64) })

export const editGoalRoute = createRoute({
  ...personAccess,
  method: 'put',
  path: '/api/orchestrator/{id}/request',
  summary: 'Change the goal; the next cycle begins with it',
  request: {
    params: jobParams,
    body: { required: true, content: { 'application/json': { schema: editGoalRequestSchema } } },
  },
  responses: answers('The job', jobSchema),
})

export const editTaskListRoute = createRoute({
  ...personAccess,
  method: 'put',
  path: '/api/orchestrator/{id}/tasklist',
  summary: 'Say which tasks are wanted; the next cycle begins with them',
  request: {
    params: jobParams,
    body: { required: true, content: { 'application/json': { schema: editTaskListRequestSchema } } },
  },
  responses: answers('The job', jobSchema),
})

export const listDocumentsRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/documents',
  summary: 'Versions of the goal and of the wanted tasks, newest first',
  request: { params: jobParams, query: documentQuerySchema },
  responses: answers('A page of versions', pageSchema(jobDocumentSchema)),
})
