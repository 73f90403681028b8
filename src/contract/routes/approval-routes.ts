import {
  allowRequestSchema,
  approvalQuerySchema,
  approvalRuleQuerySchema,
  approvalRuleSchema,
  approvalSchema,
  denyRequestSchema,
} from '../approval.ts'
import { pageSchema } from '../envelope.ts'
import { answers, declareRoute, idParams, optionalJsonBody, personAccess } from './declare-route.ts'

export const listApprovalsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/approvals',
  summary: 'List pending approval requests, newest first; with `status=all`, decided ones too',
  request: { query: approvalQuerySchema },
  responses: answers('A page of approvals', pageSchema(approvalSchema)),
})

export const getApprovalRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/approvals/{id}',
  summary: 'Get an approval',
  request: { params: idParams },
  responses: answers('The approval', approvalSchema),
})

export const allowApprovalRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/approvals/{id}/allow',
  summary:
    'Allow one exact action, once; with `digest`, only if the action is still the same; with `scope`, also later actions that the scope covers',
  request: {
    params: idParams,
    body: optionalJsonBody(allowRequestSchema),
  },
  responses: answers('The approval', approvalSchema),
})

export const denyApprovalRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/approvals/{id}/deny',
  summary:
    'Deny one action; the agent receives the reason; with `abort`, also end the run whose stage is in trouble',
  request: {
    params: idParams,
    body: optionalJsonBody(denyRequestSchema),
  },
  responses: answers('The approval', approvalSchema),
})

export const listApprovalRulesRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/approval-rules',
  summary: 'List what was allowed in advance, newest first; with `status=all`, what has ended too',
  request: { query: approvalRuleQuerySchema },
  responses: answers('A page of rules', pageSchema(approvalRuleSchema)),
})

export const revokeApprovalRuleRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/approval-rules/{id}/revoke',
  summary: 'Revoke a rule, so that the next such request waits for a person again',
  request: { params: idParams },
  responses: answers('The rule', approvalRuleSchema),
})
