import { z } from 'zod'
import { agentListSchema, agentQuerySchema } from '../agent.ts'
import { healthSchema, readySchema, shutdownSchema, statusSchema } from '../daemon-status.ts'
import { pageSchema } from '../envelope.ts'
import { environmentSchema } from '../environment.ts'
import { feedConnectedSchema, feedEventSchema } from '../event.ts'
import { providerQuerySchema, providerSchema } from '../provider.ts'
import { storageSchema } from '../storage.ts'
import {
  answers,
  declareRoute,
  openAccess,
  personAccess,
  streamAnswers,
  streamStart,
} from './declare-route.ts'

export const listAgentsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/agents',
  summary: 'List the agents configured for a repository; with `usability=true`, check whether they can work',
  request: { query: agentQuerySchema },
  responses: answers('The agents', agentListSchema),
})

export const listProvidersRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/providers',
  summary:
    'List the supported agent programs and whether they are installed; with `models=true`, their models too',
  request: { query: providerQuerySchema },
  responses: answers('The providers', pageSchema(providerSchema)),
})

export const streamEventsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/events',
  summary:
    'Follow all jobs from now on, or from Last-Event-ID or `after`; an empty `after` starts at the beginning',
  request: streamStart,
  responses: streamAnswers(
    'A `connected` event, then the events of all jobs',
    z.union([feedConnectedSchema, feedEventSchema]),
  ),
})

export const getHealthRoute = declareRoute({
  ...openAccess,
  method: 'get',
  path: '/api/health',
  summary: 'Check that the daemon responds',
  responses: answers('The daemon responds', healthSchema),
})

export const getReadyRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/ready',
  summary: 'Check that the daemon can work',
  responses: answers('The daemon is ready', readySchema),
})

export const getStatusRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/status',
  summary: 'Show what is running, what is waiting, and the daemon itself',
  responses: answers('The status', statusSchema),
})

export const getStorageRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/storage',
  summary: 'Measure how much disk space the home occupies, and check its repositories',
  responses: answers('The storage', storageSchema),
})

export const getEnvironmentRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/environment',
  summary: 'Show which parts of its environment the daemon started with, without the values of variables',
  responses: answers('The environment', environmentSchema),
})

export const shutdownRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/shutdown',
  summary: 'Stop the daemon; running agents keep working, and the next daemon picks them up',
  responses: answers('The daemon is stopping', shutdownSchema),
})

export const getOpenapiRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/openapi.json',
  summary: 'Get this document',
  responses: {
    200: {
      description: 'An OpenAPI 3.1 document',
      content: { 'application/json': { schema: z.record(z.string(), z.unknown()) } },
    },
  },
})
