import { pageSchema } from '../envelope.ts'
import { pageQuerySchema } from '../page-query.ts'
import { runSchema } from '../run.ts'
import { idSchema } from '../text.ts'
import { answers, declareRoute, idParams, personAccess } from './declare-route.ts'

export const listRunsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/runs',
  summary:
    'List the runs of a job with their visits and documents, oldest first, or the newest runs of all jobs',
  request: { query: pageQuerySchema.extend({ job: idSchema.optional() }) },
  responses: answers('A page of runs', pageSchema(runSchema)),
})

export const getRunRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/runs/{id}',
  summary: 'Get a run with its visits and documents',
  request: { params: idParams },
  responses: answers('The run', runSchema),
})
