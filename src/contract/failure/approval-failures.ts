import type { ApprovalFailure } from './api-failure.ts'
import { type FailureTable, refusal } from './refusal.ts'

const STATES: Readonly<Record<string, string>> = {
  allowed: 'was already allowed',
  denied: 'was already denied',
  expired: 'has expired: no one decided in time, so it counts as denied',
  void: 'is void: the request was withdrawn',
}

export const approvalFailures: FailureTable<ApprovalFailure> = {
  'approval-not-found': refusal(404, ({ approvalId }) => ({
    message: `There is no approval ${approvalId}.`,
    next: 'muster approvals --all',
  })),
  'approval-decided': refusal(409, ({ approvalId, state }) => ({
    message: `Approval ${approvalId} ${STATES[state] ?? `is ${state}`}.`,
    next: `muster show ${approvalId}`,
  })),
  'scope-unavailable': refusal(409, ({ approvalId, scope }) => ({
    message: `Approval ${approvalId} can't be decided for the whole ${scope}. Nothing was decided.`,
    next: `muster approve ${approvalId}`,
  })),
  'abort-unavailable': refusal(409, ({ approvalId }) => ({
    message: `Approval ${approvalId} is not about a stage in trouble, so denying it can't end a run. Nothing was decided.`,
    next: `muster deny ${approvalId}`,
  })),
  'rule-not-found': refusal(404, ({ ruleId }) => ({
    message: `There is no rule ${ruleId}.`,
    next: 'muster approvals --rules',
  })),
  'digest-mismatch': refusal(409, ({ approvalId }) => ({
    message: `Approval ${approvalId} is for a different action than the one you reviewed. Nothing was decided.`,
    next: `muster show ${approvalId}`,
  })),
}
