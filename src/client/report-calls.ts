import { diffSchema, type WireDiff } from '../contract/diff.ts'
import { mergeSchema, type WireMerge } from '../contract/merge.ts'
import { reportListSchema, type WireReportList } from '../contract/report.ts'
import type { Result } from '../domain/result.ts'
import type { ApiError } from './api-error.ts'
import { callJson } from './call-json.ts'
import type { CallNeeds, CallOptions } from './call-needs.ts'

type Answer<Data> = Promise<Result<Data, ApiError>>

export type ReportOptions = CallOptions & {
  readonly job?: string | undefined
  readonly project?: string | undefined
  readonly limit?: number | undefined
}

/** What was done, what it rests on, and taking it. */
export interface ReportCalls {
  listReports(options?: ReportOptions): Answer<WireReportList>
  getTaskDiff(taskId: string, options?: CallOptions): Answer<WireDiff>
  getApprovalDiff(approvalId: string, options?: CallOptions): Answer<WireDiff>
  getJobDiff(jobId: string, options?: CallOptions): Answer<WireDiff>
  /** Brings what a job landed into its base branch, or begins to; asked again it is the same merge. */
  mergeJob(jobId: string, options?: CallOptions): Answer<WireMerge>
  getMerge(jobId: string, options?: CallOptions): Answer<WireMerge>
}

/** Git is asked about every commit of a report, and a merge brings a repository in. */
const TIMEOUT_MS = 5 * 60_000

export function reportCalls(needs: CallNeeds): ReportCalls {
  const method = 'GET'
  const timeoutMs = TIMEOUT_MS
  return {
    listReports: ({ signal, ...query } = {}) =>
      callJson(needs, {
        method,
        path: '/api/orchestrator/report',
        query,
        data: reportListSchema,
        signal,
        timeoutMs,
      }),
    getTaskDiff: (id, { signal } = {}) =>
      callJson(needs, { method, path: pathOf('tasks', id, 'diff'), data: diffSchema, signal, timeoutMs }),
    getApprovalDiff: (id, { signal } = {}) =>
      callJson(needs, { method, path: pathOf('approvals', id, 'diff'), data: diffSchema, signal, timeoutMs }),
    getJobDiff: (id, { signal } = {}) =>
      callJson(needs, {
        method,
        path: pathOf('orchestrator', id, 'diff'),
        data: diffSchema,
        signal,
        timeoutMs,
      }),
    mergeJob: (id, { signal } = {}) =>
      callJson(needs, {
        method: 'POST',
        path: pathOf('orchestrator', id, 'merge'),
        data: mergeSchema,
        signal,
        timeoutMs,
      }),
    getMerge: (id, { signal } = {}) =>
      callJson(needs, {
        method,
        path: pathOf('orchestrator', id, 'merge'),
        data: mergeSchema,
        signal,
        timeoutMs,
      }),
  }
}

function pathOf(noun: string, id: string, what: string): string {
  return `/api/${noun}/${encodeURIComponent(id)}/${what}`
}
