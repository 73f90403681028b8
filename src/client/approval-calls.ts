import { approvalSchema, type WireApproval } from '../contract/approval.ts'
import { type Page, pageSchema } from '../contract/envelope.ts'
import type { Result } from '../domain/result.ts'
import type { ApiError } from './api-error.ts'
import { callJson } from './call-json.ts'
import type { CallNeeds, CallOptions } from './call-needs.ts'

type Answer<Data> = Promise<Result<Data, ApiError>>

export type ApprovalOptions = CallOptions & {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly job?: string | undefined
  readonly session?: string | undefined
  /** `pending` unless told otherwise. */
  readonly status?: 'pending' | 'all' | undefined
}

/** With its digest, a decision is on the very action that was looked at, and on nothing else. */
type DecisionOptions = CallOptions & { readonly digest?: string | undefined }

/** What agents wait to be allowed. */
export interface ApprovalCalls {
  listApprovals(options?: ApprovalOptions): Answer<Page<WireApproval>>
  getApproval(approvalId: string, options?: CallOptions): Answer<WireApproval>
  allowApproval(approvalId: string, options?: DecisionOptions): Answer<WireApproval>
  denyApproval(
    approvalId: string,
    options?: DecisionOptions & { readonly reason?: string | undefined },
  ): Answer<WireApproval>
}

const APPROVALS = '/api/approvals'

export function approvalCalls(needs: CallNeeds): ApprovalCalls {
  const decide = (approvalId: string, verb: string, body: unknown, options: CallOptions) =>
    callJson(needs, {
      method: 'POST',
      path: `${pathOf(approvalId)}/${verb}`,
      body,
      data: approvalSchema,
      ...options,
    })
  return {
    listApprovals: ({ signal, ...query } = {}) =>
      callJson(needs, { method: 'GET', path: APPROVALS, query, data: pageSchema(approvalSchema), signal }),
    getApproval: (approvalId, { signal } = {}) =>
      callJson(needs, { method: 'GET', path: pathOf(approvalId), data: approvalSchema, signal }),
    allowApproval: (approvalId, { digest, signal } = {}) =>
      decide(approvalId, 'allow', { digest }, { signal }),
    denyApproval: (approvalId, { reason, digest, signal } = {}) =>
      decide(approvalId, 'deny', { reason, digest }, { signal }),
  }
}

function pathOf(approvalId: string): string {
  return `${APPROVALS}/${encodeURIComponent(approvalId)}`
}
