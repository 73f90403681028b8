import { pageSchema } from '../envelope.ts'
import {
  repositoryQuerySchema,
  revokedSchema,
  revokeRequestSchema,
  trustedSchema,
  trustRequestSchema,
  trustSchema,
} from '../trust.ts'
import { answers, declareRoute, jsonBody, personAccess } from './declare-route.ts'

export const listTrustedRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/trust',
  summary: 'List the repositories whose configuration is trusted',
  responses: answers('The trusted repositories', pageSchema(trustedSchema)),
})

export const getTrustRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/trust/repository',
  summary: "Show the parts of a repository's configuration that need trust, and whether they have it",
  request: { query: repositoryQuerySchema },
  responses: answers('The parts', trustSchema),
})

export const trustRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/trust/repository',
  summary: "Trust the parts of a repository's configuration that have this digest",
  request: { body: jsonBody(trustRequestSchema) },
  responses: answers('The parts, now trusted', trustSchema),
})

export const revokeTrustRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/trust/revoke',
  summary: "Stop trusting a repository's configuration",
  request: { body: jsonBody(revokeRequestSchema) },
  responses: answers('Whether it was trusted', revokedSchema),
})
