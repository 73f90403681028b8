import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { allowRequestSchema, approvalQuerySchema, approvalSchema, denyRequestSchema } from '../approval.ts'
import { pageSchema } from '../envelope.ts'
import { answers } from './answers.ts'
import { personAccess } from './route-access.ts'

const params = z.object({ id: z.string().max(64) })

export const listApprovalsRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/approvals',
  summary: 'What agents wait to be allowed, newest first; with `status=all` also what was decided',
  request: { query: approvalQuerySchema },
  responses: answers('A page of approvals', pageSchema(approvalSchema)),
})

export const getApprovalRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/approvals/{id}',
  summary: 'One approval',
  request: { params },
  responses: answers('The approval', approvalSchema),
})

export const allowApprovalRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/approvals/{id}/allow',
  summary: 'Allow one exact action, once; with `digest` only if it is still that one',
  request: {
    params,
    body: { required: false, content: { 'application/json': { schema: allowRequestSchema } } },
  },
  responses: answers('The approval', approvalSchema),
})

export const denyApprovalRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/approvals/{id}/deny',
  summary: 'Deny it; the agent is told the reason',
  request: {
    params,
    body: { required: false, content: { 'application/json': { schema: denyRequestSchema } } },
  },
  responses: answers('The approval', approvalSchema),
})
