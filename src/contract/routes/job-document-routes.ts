import { pageSchema } from '../envelope.ts'
import { jobSchema } from '../job.ts'
import {
  documentQuerySchema,
  editGoalRequestSchema,
  editTaskListRequestSchema,
  jobDocumentSchema,
} from '../job-document.ts'
import { answers, declareRoute, idParams, jsonBody, personAccess } from './declare-route.ts'

export const editGoalRoute = declareRoute({
  ...personAccess,
  method: 'put',
  path: '/api/orchestrator/{id}/request',
  summary: 'Change the goal; it takes effect in the next cycle',
  request: {
    params: idParams,
    body: jsonBody(editGoalRequestSchema),
  },
  responses: answers('The job', jobSchema),
})

export const editTaskListRoute = declareRoute({
  ...personAccess,
  method: 'put',
  path: '/api/orchestrator/{id}/tasklist',
  summary: 'Set the requested tasks; they take effect in the next cycle',
  request: {
    params: idParams,
    body: jsonBody(editTaskListRequestSchema),
  },
  responses: answers('The job', jobSchema),
})

export const listDocumentsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/documents',
  summary: 'List versions of the goal and of the requested tasks, newest first',
  request: { params: idParams, query: documentQuerySchema },
  responses: answers('A page of versions', pageSchema(jobDocumentSchema)),
})
