import {
  cleanedSchema,
  cleanRequestSchema,
  deletedJobSchema,
  deleteJobRequestSchema,
  garbageRequestSchema,
  garbageSchema,
  pinnedListSchema,
  pinnedQuerySchema,
  restoredSchema,
  restoreRequestSchema,
} from '../cleanup.ts'
import { answers, declareRoute, idParams, optionalJsonBody, personAccess } from './declare-route.ts'

export const listPinnedRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/pinned',
  summary:
    "List work that did not land and that Muster keeps, newest first; with `job`, only that job's work",
  request: { query: pinnedQuerySchema },
  responses: answers('The work', pinnedListSchema),
})

export const restorePinnedRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/pinned/{id}/restore',
  summary: 'Restore the work of an attempt, a session or a task as a new branch of its repository',
  request: { params: idParams, body: optionalJsonBody(restoreRequestSchema) },
  responses: answers('The branch', restoredSchema),
})

export const deleteJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/delete',
  summary: 'Delete an ended job with its events, files and branch in the hub; audit rows stay',
  request: { params: idParams, body: optionalJsonBody(deleteJobRequestSchema) },
  responses: answers('What was removed', deletedJobSchema),
})

export const cleanRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/clean',
  summary: 'Delete old jobs, except those with work that must be kept',
  request: { body: optionalJsonBody(cleanRequestSchema) },
  responses: answers('The jobs', cleanedSchema),
})

export const collectGarbageRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/gc',
  summary: 'Remove leftovers that nothing needs, and return the reason for each',
  request: { body: optionalJsonBody(garbageRequestSchema) },
  responses: answers('What was removed, and what was kept', garbageSchema),
})
