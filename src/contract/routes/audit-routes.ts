import { z } from 'zod'
import { auditCheckSchema, auditRowSchema } from '../audit.ts'
import { pageSchema } from '../envelope.ts'
import { limitSchema } from '../page-query.ts'
import { answers, declareRoute, personAccess } from './declare-route.ts'

export const listAuditRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/audit',
  summary: 'List the newest audit rows, or the rows after `after`; oldest first',
  request: { query: z.object({ after: z.coerce.number().int().min(0).optional(), limit: limitSchema }) },
  responses: answers('The rows', pageSchema(auditRowSchema)),
})

export const verifyAuditRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/audit/verify',
  summary: 'Check that no audit row was changed or removed',
  responses: answers('What the check found', auditCheckSchema),
})

export const acceptAuditRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/audit/accept',
  summary: 'Accept the audit log despite its problems, and from now on check it from its current end',
  responses: answers('What the check found afterwards', auditCheckSchema),
})
