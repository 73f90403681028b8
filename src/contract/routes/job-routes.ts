import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { cycleDetailSchema, cycleSchema } from '../cycle.ts'
import { pageSchema } from '../envelope.ts'
import { connectedSchema, eventPageSchema, eventSchema, jobEndedSchema } from '../event.ts'
import { eventQuerySchema } from '../event-query.ts'
import { jobSchema, jobSummarySchema } from '../job.ts'
import { jobQuerySchema } from '../job-query.ts'
import { pageQuerySchema } from '../page-query.ts'
import { cancelJobRequestSchema, idempotencyKeySchema, startJobRequestSchema } from '../start-job-request.ts'
import { streamPlace } from '../stream-place.ts'
import { answers, creationAnswers, streamAnswers } from './answers.ts'
import { personAccess } from './route-access.ts'

const jobParams = z.object({ id: z.string().max(64) })

export const startJobRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator',
  summary: 'Start a job',
  request: {
    headers: z.object({ 'idempotency-key': idempotencyKeySchema }),
    body: { required: true, content: { 'application/json': { schema: startJobRequestSchema } } },
  },
  responses: creationAnswers('The job', jobSchema),
})

export const listJobsRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator',
  summary: 'List jobs, newest first, of everybody unless a user is named',
  request: { query: jobQuerySchema },
  responses: answers('A page of jobs', pageSchema(jobSummarySchema)),
})

export const getJobRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}',
  summary: 'One job whole',
  request: { params: jobParams },
  responses: answers('The job', jobSchema),
})

export const streamJobRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/stream',
  summary: 'Follow a job; Last-Event-ID or `after` replays what came after that event',
  request: { params: jobParams, ...streamPlace },
  responses: streamAnswers(
    'A `connected` event, the events of the job, and `job_ended` when it is over',
    z.union([connectedSchema, eventSchema, jobEndedSchema]),
  ),
})

export const beginJobRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/start',
  summary: 'Start a job that was made with autoStart false',
  request: { params: jobParams },
  responses: answers('The job', jobSchema),
})

export const pauseJobRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/pause',
  summary: 'Let what runs end, start nothing new, and rest',
  request: { params: jobParams },
  responses: answers('The job', jobSchema),
})

export const resumeJobRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/resume',
  summary: 'Go on with a paused job',
  request: { params: jobParams },
  responses: answers('The job', jobSchema),
})

export const cancelJobRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/orchestrator/{id}/cancel',
  summary: 'End a job now; what its agents did so far stays pinned',
  request: {
    params: jobParams,
    body: { required: false, content: { 'application/json': { schema: cancelJobRequestSchema } } },
  },
  responses: answers('The job', jobSchema),
})

export const listCyclesRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/cycles',
  summary: 'Cycles of a job, oldest first',
  request: { params: jobParams, query: pageQuerySchema },
  responses: answers('A page of cycles', pageSchema(cycleSchema)),
})

export const getCycleRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/cycles/{num}',
  summary: 'One cycle with its tasks',
  request: {
    params: z.object({ id: z.string().max(64), num: z.coerce.number().int().min(0).max(1_000_000) }),
  },
  responses: answers('The cycle', cycleDetailSchema),
})

export const listEventsRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/orchestrator/{id}/events',
  summary: 'Events of a job, oldest first',
  request: { params: jobParams, query: eventQuerySchema },
  responses: answers('Events', eventPageSchema),
})
