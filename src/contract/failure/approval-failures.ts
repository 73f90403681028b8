import type { ApprovalFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

const STATES: Readonly<Record<string, string>> = {
  allowed: 'was allowed before',
  denied: 'was denied before',
  expired: 'has expired: nobody decided in time, and the default is no',
  void: 'is void: whoever asked no longer waits for it',
}

export const approvalFailures: FailureTable<ApprovalFailure> = {
  'approval-not-found': refusal(404, ({ approvalId }) => ({
    message: `There is no approval ${approvalId}.`,
    next: 'muster approvals --all',
  })),
  'approval-decided': refusal(409, ({ approvalId, state }) => ({
    message: `Approval ${approvalId} ${STATES[state] ?? `is ${state}`}. A decision is used once.`,
    next: `muster show ${approvalId}`,
  })),
  'digest-mismatch': refusal(409, ({ approvalId }) => ({
    message: `What waits as ${approvalId} is not the action that was looked at. Nothing was decided.`,
    next: `muster show ${approvalId}`,
  })),
}
