import type { z } from 'zod'
import { cycleDetailSchema, cycleSchema } from '../contract/cycle.ts'
import { pageSchema } from '../contract/envelope.ts'
import { eventPageSchema } from '../contract/event.ts'
import { jobSchema, jobSummarySchema } from '../contract/job.ts'
import { jobDocumentSchema } from '../contract/job-document.ts'
import { type Call, callJson } from './call-json.ts'
import type { CallNeeds, CallOptions } from './call-needs.ts'
import type { MusterClient } from './muster-client.ts'

type JobCalls = Pick<
  MusterClient,
  | 'startJob'
  | 'listJobs'
  | 'getJob'
  | 'beginJob'
  | 'pauseJob'
  | 'resumeJob'
  | 'cancelJob'
  | 'editGoal'
  | 'editTaskList'
  | 'listDocuments'
  | 'listCycles'
  | 'getCycle'
  | 'listEvents'
>

const JOBS = '/api/orchestrator'
/** Starting a job brings the repository in first, which takes its time when it is large. */
const START_TIMEOUT_MS = 10 * 60_000

export function jobCalls(needs: CallNeeds): JobCalls {
  const act = (jobId: string, verb: string, options: CallOptions, body?: unknown) =>
    callJson(needs, { method: 'POST', path: `${pathOf(jobId)}/${verb}`, body, data: jobSchema, ...options })
  const put = (jobId: string, document: string, body: unknown, options: CallOptions) =>
    callJson(needs, {
      method: 'PUT',
      path: `${pathOf(jobId)}/${document}`,
      body,
      data: jobSchema,
      ...options,
    })
  return {
    startJob: (request, { idempotencyKey, signal } = {}) =>
      callJson(needs, {
        method: 'POST',
        path: JOBS,
        body: request,
        headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
        data: jobSchema,
        timeoutMs: START_TIMEOUT_MS,
        signal,
      }),
    listJobs: ({ signal, ...query } = {}) =>
      callJson(needs, get(JOBS, pageSchema(jobSummarySchema), { query, signal })),
    getJob: (jobId, { signal } = {}) => callJson(needs, get(pathOf(jobId), jobSchema, { signal })),
    beginJob: (jobId, { signal } = {}) => act(jobId, 'start', { signal }),
    pauseJob: (jobId, { signal } = {}) => act(jobId, 'pause', { signal }),
    resumeJob: (jobId, { signal } = {}) => act(jobId, 'resume', { signal }),
    cancelJob: (jobId, { reason, signal } = {}) =>
      act(jobId, 'cancel', { signal }, reason === undefined ? undefined : { reason }),
    editGoal: (jobId, requestDocument, { signal } = {}) =>
      put(jobId, 'request', { requestDocument }, { signal }),
    editTaskList: (jobId, taskList, { signal } = {}) => put(jobId, 'tasklist', { taskList }, { signal }),
    listDocuments: (jobId, { signal, ...query } = {}) =>
      callJson(needs, get(`${pathOf(jobId)}/documents`, pageSchema(jobDocumentSchema), { query, signal })),
    listCycles: (jobId, { signal, ...query } = {}) =>
      callJson(needs, get(`${pathOf(jobId)}/cycles`, pageSchema(cycleSchema), { query, signal })),
    getCycle: (jobId, number, { signal } = {}) =>
      callJson(needs, get(`${pathOf(jobId)}/cycles/${number}`, cycleDetailSchema, { signal })),
    listEvents: (jobId, { signal, ...query } = {}) =>
      callJson(needs, get(`${pathOf(jobId)}/events`, eventPageSchema, { query, signal })),
  }
}

function pathOf(jobId: string): string {
  return `${JOBS}/${encodeURIComponent(jobId)}`
}

function get<Data extends z.ZodType>(
  path: string,
  data: Data,
  rest: Pick<Call<Data>, 'query' | 'signal'>,
): Call<Data> {
  return { method: 'GET', path, data, ...rest }
}
