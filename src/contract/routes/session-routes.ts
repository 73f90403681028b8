import { z } from 'zod'
import { pageSchema } from '../envelope.ts'
import { eventPageSchema, sessionConnectedSchema, sessionOverSchema, streamedEventSchema } from '../event.ts'
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
import { declareRoute, idParams, jsonBody, optionalJsonBody, personAccess } from './declare-route.ts'

export const listSessionsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions',
  summary: 'Sessions, newest first',
  request: { query: sessionQuerySchema },
  responses: answers('A page of sessions', pageSchema(sessionSchema)),
})

export const getSessionRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions/{id}',
  summary: 'One session',
  request: { params: idParams },
  responses: answers('The session', sessionSchema),
})

export const openSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions',
  summary: 'Open a session of your own: one agent in a working tree of its own',
  request: { body: jsonBody(openSessionRequestSchema) },
  responses: creationAnswers('The session', sessionSchema),
})

export const askSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/queries',
  summary: 'Ask an earlier session what it knows; the question is a session, and its last turn is the answer',
  request: { body: jsonBody(sessionQuestionSchema) },
  responses: creationAnswers('The session that asks', sessionSchema),
})

export const listSessionEventsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions/{id}/events',
  summary: 'The transcript of a session, oldest first',
  request: { params: idParams, query: eventPageQuerySchema },
  responses: answers('Events', eventPageSchema),
})

export const streamSessionRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions/{id}/stream',
  summary: 'Follow a session; Last-Event-ID or `after` replays what came after that event',
  request: { params: idParams, ...streamPlace },
  responses: streamAnswers(
    'A `connected` event, the events of the session, and `session_over` when it is over',
    z.union([sessionConnectedSchema, streamedEventSchema, sessionOverSchema]),
  ),
})

export const stopSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/stop',
  summary: 'End a session; with `force` at once, without asking its program first',
  request: { params: idParams, body: optionalJsonBody(stopSessionRequestSchema) },
  responses: answers('The session', sessionSchema),
})

export const suspendSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/suspend',
  summary: 'Let a session rest: its program is stopped, its tree and its conversation stay',
  request: { params: idParams, body: optionalJsonBody(suspendSessionRequestSchema) },
  responses: answers('The session', sessionSchema),
})

export const resumeSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/resume',
  summary: 'Let a resting session go on, with these words or the usual ones',
  request: { params: idParams, body: optionalJsonBody(resumeSessionRequestSchema) },
  responses: answers('The session', sessionSchema),
})

export const interruptSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/interrupt',
  summary: 'Break off the turn a session is in',
  request: { params: idParams },
  responses: answers('The session', sessionSchema),
})

export const saySessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/messages',
  summary: 'Say something to a session; after the turn it is in, if it is in one',
  request: { params: idParams, body: jsonBody(saySessionRequestSchema) },
  responses: answers('The session', sessionSchema),
})
