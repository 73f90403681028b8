import { z } from 'zod'
import { agentListSchema } from '../agent.ts'
import { healthSchema, readySchema, shutdownSchema, statusSchema } from '../daemon-status.ts'
import { pageSchema } from '../envelope.ts'
import { feedConnectedSchema, feedEventSchema } from '../event.ts'
import { providerQuerySchema, providerSchema } from '../provider.ts'
import { streamPlace } from '../stream-place.ts'
import { answers, streamAnswers } from './answers.ts'
import { declareRoute, openAccess, personAccess } from './declare-route.ts'

export const listAgentsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/agents',
  summary: 'Agents configured for a repository',
  request: { query: z.object({ repositoryPath: z.string().min(1).max(4096) }) },
  responses: answers('The agents', agentListSchema),
})

export const listProvidersRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/providers',
  summary:
    'Kinds of agent programs, and whether they are installed; with `models=true` what models they offer',
  request: { query: providerQuerySchema },
  responses: answers('The providers', pageSchema(providerSchema)),
})

export const streamEventsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/events',
  summary: 'Follow all jobs, from now on or from Last-Event-ID or `after`; an empty `after` is the beginning',
  request: streamPlace,
  responses: streamAnswers(
    'A `connected` event, then the events of all jobs',
    z.union([feedConnectedSchema, feedEventSchema]),
  ),
})

export const getHealthRoute = declareRoute({
  ...openAccess,
  method: 'get',
  path: '/api/health',
  summary: 'Whether the daemon answers at all',
  responses: answers('It does', healthSchema),
})

export const getReadyRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/ready',
  summary: 'Whether the daemon can do its work now',
  responses: answers('It can', readySchema),
})

export const getStatusRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/status',
  summary: 'What runs, what waits, and the daemon itself',
  responses: answers('The status', statusSchema),
})

export const shutdownRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/shutdown',
  summary: 'Stop the daemon; agents that run go on and are taken over by the next one',
  responses: answers('It is stopping', shutdownSchema),
})

export const getOpenapiRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/openapi.json',
  summary: 'This description',
  responses: {
    200: {
      description: 'An OpenAPI 3.1 document',
      content: { 'application/json': { schema: z.record(z.string(), z.unknown()) } },
    },
  },
})
