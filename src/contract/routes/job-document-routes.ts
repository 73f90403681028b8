import { pageSchema } from '../envelope.ts'
import { jobSchema } from '../job.ts'
import {
  documentQuerySchema,
  editGoalRequestSchema,
  editTaskListRequestSchema,
  jobDocumentSchema,
} from '../job-document.ts'
import { answers } from './answers.ts'
import { declareRoute, idParams, jsonBody, personAccess } from './declare-route.ts'

export const editGoalRoute = declareRoute({
  ...personAccess,
  method: 'put',
  path: '/api/orchestrator/{id}/request',
  summary: 'Change the goal; the next cycle begins with it',
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
  summary: 'Say which tasks are wanted; the next cycle begins with them',
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
  summary: 'Versions of the goal and of the wanted tasks, newest first',
  request: { params: idParams, query: documentQuerySchema },
  responses: answers('A page of versions', pageSchema(jobDocumentSchema)),
})
