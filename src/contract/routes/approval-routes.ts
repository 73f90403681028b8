import { allowRequestSchema, approvalQuerySchema, approvalSchema, denyRequestSchema } from '../approval.ts'
import { pageSchema } from '../envelope.ts'
import { answers } from './answers.ts'
import { declareRoute, idParams, optionalJsonBody, personAccess } from './declare-route.ts'

export const listApprovalsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/approvals',
  summary: 'What agents wait to be allowed, newest first; with `status=all` also what was decided',
  request: { query: approvalQuerySchema },
  responses: answers('A page of approvals', pageSchema(approvalSchema)),
})

export const getApprovalRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/approvals/{id}',
  summary: 'One approval',
  request: { params: idParams },
  responses: answers('The approval', approvalSchema),
})

export const allowApprovalRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/approvals/{id}/allow',
  summary: 'Allow one exact action, once; with `digest` only if it is still that one',
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
  summary: 'Deny it; the agent is told the reason',
  request: {
    params: idParams,
    body: optionalJsonBody(denyRequestSchema),
  },
  responses: answers('The approval', approvalSchema),
})
