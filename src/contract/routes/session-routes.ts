import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { pageSchema } from '../envelope.ts'
import { eventPageSchema, eventSchema, sessionConnectedSchema, sessionOverSchema } from '../event.ts'
import { eventPageQuerySchema } from '../event-query.ts'
import { sessionSchema } from '../session.ts'
import { sessionQuerySchema } from '../session-query.ts'
import {
  openSessionRequestSchema,
  resumeSessionRequestSchema,
  saySessionRequestSchema,
  sessionQuestionSchema,
  stopSessionRequestSchema,
  suspendSessionRequestSchema,
} from '../session-requests.ts'
import { streamPlace } from '../stream-place.ts'
import { answers, creationAnswers, streamAnswers } from './answers.ts'
import { personAccess } from './route-access.ts'

const params = z.object({ id: z.string().max(64) })

const body = <Schema extends z.ZodType>(schema: Schema, required: boolean) => ({
  required,
  content: { 'application/json': { schema } },
})

export const listSessionsRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions',
  summary: 'Sessions, newest first',
  request: { query: sessionQuerySchema },
  responses: answers('A page of sessions', pageSchema(sessionSchema)),
})

export const getSessionRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions/{id}',
  summary: 'One session',
  request: { params },
  responses: answers('The session', sessionSchema),
})

export const openSessionRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions',
  summary: 'Open a session of your own: one agent in a working tree of its own',
  request: { body: body(openSessionRequestSchema, true) },
  responses: creationAnswers('The session', sessionSchema),
})

export const askSessionRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/queries',
  summary: 'Ask an earlier session what it knows; the question is a session, and its last turn is the answer',
  request: { body: body(sessionQuestionSchema, true) },
  responses: creationAnswers('The session that asks', sessionSchema),
})

export const listSessionEventsRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions/{id}/events',
  summary: 'The transcript of a session, oldest first',
  request: { params, query: eventPageQuerySchema },
  responses: answers('Events', eventPageSchema),
})

export const streamSessionRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions/{id}/stream',
  summary: 'Follow a session; Last-Event-ID or `after` replays what came after that event',
  request: { params, ...streamPlace },
  responses: streamAnswers(
    'A `connected` event, the events of the session, and `session_over` when it is over',
    z.union([sessionConnectedSchema, eventSchema, sessionOverSchema]),
  ),
})

export const stopSessionRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/stop',
  summary: 'End a session; with `force` at once, without asking its program first',
  request: { params, body: body(stopSessionRequestSchema, false) },
  responses: answers('The session', sessionSchema),
})

export const suspendSessionRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/suspend',
  summary: 'Let a session rest: its program is stopped, its tree and its conversation stay',
  request: { params, body: body(suspendSessionRequestSchema, false) },
  responses: answers('The session', sessionSchema),
})

export const resumeSessionRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/resume',
  summary: 'Let a resting session go on, with these words or the usual ones',
  request: { params, body: body(resumeSessionRequestSchema, false) },
  responses: answers('The session', sessionSchema),
})

export const interruptSessionRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/interrupt',
  summary: 'Break off the turn a session is in',
  request: { params },
  responses: answers('The session', sessionSchema),
})

export const saySessionRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/messages',
  summary: 'Say something to a session; after the turn it is in, if it is in one',
  request: { params, body: body(saySessionRequestSchema, true) },
  responses: answers('The session', sessionSchema),
})
