import { z } from 'zod'
import { cycleDetailSchema, cycleSchema } from '../cycle.ts'
import { pageSchema } from '../envelope.ts'
import { connectedSchema, eventPageSchema, jobEndedSchema, streamedEventSchema } from '../event.ts'
import { eventQuerySchema } from '../event-query.ts'
import { jobSchema, jobSummarySchema } from '../job.ts'
import { jobQuerySchema } from '../job-query.ts'
import { pageQuerySchema } from '../page-query.ts'
import { cancelJobRequestSchema, idempotencyKeySchema, startJobRequestSchema } from '../start-job-request.ts'
import { streamPlace } from '../stream-place.ts'
import { answers, creationAnswers, streamAnswers } from './answers.ts'
import { declareRoute, idParams, jsonBody, optionalJsonBody, personAccess } from './declare-route.ts'

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
  summary: 'List jobs, newest first, of everybody unless a user is named',
  request: { query: jobQuerySchema },
  responses: answers('A page of jobs', pageSchema(jobSummarySchema)),
})

export const getJobRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}',
  summary: 'One job whole',
  request: { params: idParams },
  responses: answers('The job', jobSchema),
})

export const streamJobRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/stream',
  summary: 'Follow a job; Last-Event-ID or `after` replays what came after that event',
  request: { params: idParams, ...streamPlace },
  responses: streamAnswers(
    'A `connected` event, the events of the job, and `job_ended` when it is over',
    z.union([connectedSchema, streamedEventSchema, jobEndedSchema]),
  ),
})

export const beginJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/start',
  summary: 'Start a job that was made with autoStart false',
  request: { params: idParams },
  responses: answers('The job', jobSchema),
})

export const pauseJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/pause',
  summary: 'Let what runs end, start nothing new, and rest',
  request: { params: idParams },
  responses: answers('The job', jobSchema),
})

export const resumeJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/resume',
  summary: 'Go on with a paused job',
  request: { params: idParams },
  responses: answers('The job', jobSchema),
})

export const cancelJobRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/cancel',
  summary: 'End a job now; what its agents did so far stays pinned',
  request: {
    params: idParams,
    body: optionalJsonBody(cancelJobRequestSchema),
  },
  responses: answers('The job', jobSchema),
})

export const listCyclesRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/cycles',
  summary: 'Cycles of a job, oldest first',
  request: { params: idParams, query: pageQuerySchema },
  responses: answers('A page of cycles', pageSchema(cycleSchema)),
})

export const getCycleRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/cycles/{num}',
  summary: 'One cycle with its tasks',
  request: {
    params: z.object({ id: z.string().max(64), num: z.coerce.number().int().min(0).max(1_000_000) }),
  },
  responses: answers('The cycle', cycleDetailSchema),
})

export const listEventsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/events',
  summary: 'Events of a job, oldest first',
  request: { params: idParams, query: eventQuerySchema },
  responses: answers('Events', eventPageSchema),
})
