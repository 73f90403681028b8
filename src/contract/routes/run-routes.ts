import { z } from 'zod'
import { pageSchema } from '../envelope.ts'
import { jobSchema } from '../job.ts'
import { pageQuerySchema } from '../page-query.ts'
import { playbookSchema } from '../playbook.ts'
import { forkRequestSchema, runSchema, stoppedRunSchema, stopRunRequestSchema } from '../run.ts'
import { compareRunsQuerySchema, runComparisonSchema } from '../run-comparison.ts'
import { artifactSchema, decisionSchema, findingSchema } from '../run-result.ts'
import { runResultSchema } from '../run-summary.ts'
import { idempotencyKeySchema } from '../start-job-request.ts'
import { idSchema } from '../text.ts'
import {
  answers,
  creationAnswers,
  declareRoute,
  idParams,
  jsonBody,
  optionalJsonBody,
  personAccess,
} from './declare-route.ts'

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

export const getRunPlaybookRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/runs/{id}/playbook',
  summary: 'Get the playbook of a run as it was when the run started',
  request: { params: idParams },
  responses: answers('The playbook', playbookSchema),
})

export const getRunResultRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/runs/{id}/result',
  summary: 'Get the result of a run: summary, roles, stages, artifacts, findings, decisions, errors and cost',
  request: { params: idParams, query: z.object({ format: z.enum(['data', 'markdown']).optional() }) },
  responses: answers('The result', runResultSchema),
})

const keyed = { headers: z.object({ 'idempotency-key': idempotencyKeySchema }) }

export const forkRunRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/runs/{id}/fork',
  summary: "Start a job whose run reuses another run's visits up to a point and redoes the rest",
  request: { params: idParams, ...keyed, body: jsonBody(forkRequestSchema) },
  responses: creationAnswers('The new job', jobSchema),
})

export const resumeRunRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/runs/{id}/resume',
  summary:
    'Continue a run that was paused or stopped, or that lost its agent; returns the job that continues it',
  request: { params: idParams, ...keyed },
  responses: answers('The job', jobSchema),
})

export const stopRunRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/runs/{id}/stop',
  summary:
    'Stop a run: its programs are asked to exit, and its work is kept; changes nothing if it has ended',
  request: { params: idParams, body: optionalJsonBody(stopRunRequestSchema) },
  responses: answers('The run', stoppedRunSchema),
})

export const killRunRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/runs/{id}/kill',
  summary: 'Stop a run and kill its programs, even those that are still exiting',
  request: { params: idParams, body: optionalJsonBody(stopRunRequestSchema) },
  responses: answers('The run', stoppedRunSchema),
})

export const compareRunsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/runs/{id}/diff',
  summary: 'Compare a run with another one: their visits, outcomes, agents, cost, time and results',
  request: { params: idParams, query: compareRunsQuerySchema },
  responses: answers('The comparison', runComparisonSchema),
})

export const listFindingsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/runs/{id}/findings',
  summary: "List a run's findings, oldest first, with the role that verified each",
  request: { params: idParams, query: pageQuerySchema },
  responses: answers('A page of findings', pageSchema(findingSchema)),
})

export const listArtifactsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/runs/{id}/artifacts',
  summary: "List a run's changes and documents, oldest first, with versions and verdicts",
  request: { params: idParams, query: pageQuerySchema },
  responses: answers('A page of artifacts', pageSchema(artifactSchema)),
})

export const listDecisionsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/runs/{id}/decisions',
  summary: "List a run's decisions, oldest first, with reasons and alternatives",
  request: { params: idParams, query: pageQuerySchema },
  responses: answers('A page of decisions', pageSchema(decisionSchema)),
})
