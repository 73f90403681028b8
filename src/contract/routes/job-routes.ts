import { z } from 'zod'
import { baseDecisionRequestSchema, baseSchema } from '../base.ts'
import { cycleDetailSchema, cycleSchema } from '../cycle.ts'
import { pageSchema } from '../envelope.ts'
import { connectedSchema, eventPageSchema, jobEndedSchema, streamedEventSchema } from '../event.ts'
import { jobQuerySchema, jobSchema, jobSummarySchema } from '../job.ts'
import { eventQuerySchema, pageQuerySchema } from '../page-query.ts'
import { cancelJobRequestSchema, idempotencyKeySchema, startJobRequestSchema } from '../start-job-request.ts'
import { idSchema } from '../text.ts'
import {
  answers,
  creationAnswers,
  declareRoute,
  idParams,
  jsonBody,
  optionalJsonBody,
  personAccess,
  streamAnswers,
  streamStart,
} from './declare-route.ts'

export const startJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator',
  summary: 'Start a job',
  request: {
    headers: z.object({ 'idempotency-key': idempotencyKeySchema }),
    body: jsonBody(startJobRequestSchema),
  },
  responses: creationAnswers('The job', jobSchema),
})

export const listJobsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator',
  summary: 'List jobs, newest first; with `user`, only those of that user',
  request: { query: jobQuerySchema },
  responses: answers('A page of jobs', pageSchema(jobSummarySchema)),
})

export const getJobRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}',
  summary: 'Get a job with its documents',
  request: { params: idParams },
  responses: answers('The job', jobSchema),
})

export const streamJobRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/stream',
  summary: 'Follow a job; Last-Event-ID or `after` replays the events after that one',
  request: { params: idParams, ...streamStart },
  responses: streamAnswers(
    'A `connected` event, the events of the job, and `job_ended` at the end',
    z.union([connectedSchema, streamedEventSchema, jobEndedSchema]),
  ),
})

export const beginJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/start',
  summary: 'Start a job that was created with `autoStart: false`',
  request: { params: idParams },
  responses: answers('The job', jobSchema),
})

export const pauseJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/pause',
  summary: 'Pause a job: let running work finish, and start nothing new',
  request: { params: idParams },
  responses: answers('The job', jobSchema),
})

export const resumeJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/resume',
  summary: 'Resume a paused job',
  request: { params: idParams },
  responses: answers('The job', jobSchema),
})

export const cancelJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/cancel',
  summary: 'Cancel a job now; the work its agents have done so far is kept',
  request: {
    params: idParams,
    body: optionalJsonBody(cancelJobRequestSchema),
  },
  responses: answers('The job', jobSchema),
})

export const getBaseRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/base',
  summary: "Get the checks of a job's base, with the output of those that failed",
  request: { params: idParams },
  responses: answers('The base', baseSchema),
})

export const decideBaseRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/base',
  summary: 'Decide what a job does about a base that fails its checks',
  request: { params: idParams, body: jsonBody(baseDecisionRequestSchema) },
  responses: answers('The job', jobSchema),
})

export const listCyclesRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/cycles',
  summary: 'List the cycles of a job, oldest first',
  request: { params: idParams, query: pageQuerySchema },
  responses: answers('A page of cycles', pageSchema(cycleSchema)),
})

export const getCycleRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/cycles/{num}',
  summary: 'Get a cycle with its tasks',
  request: {
    params: z.object({ id: idSchema, num: z.coerce.number().int().min(0).max(1_000_000) }),
  },
  responses: answers('The cycle', cycleDetailSchema),
})

export const listEventsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/events',
  summary: 'List the events of a job, oldest first',
  request: { params: idParams, query: eventQuerySchema },
  responses: answers('Events', eventPageSchema),
})
