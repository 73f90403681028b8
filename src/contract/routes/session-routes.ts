import { z } from 'zod'
import { pageSchema } from '../envelope.ts'
import {
  eventPageSchema,
  sessionConnectedSchema,
  sessionFinishedSchema,
  streamedEventSchema,
} from '../event.ts'
import { eventPageQuerySchema } from '../page-query.ts'
import { sessionSchema } from '../session.ts'
import {
  openSessionRequestSchema,
  resumeSessionRequestSchema,
  saySessionRequestSchema,
  sessionQuerySchema,
  sessionQuestionSchema,
  stopSessionRequestSchema,
  suspendSessionRequestSchema,
} from '../session-requests.ts'
import {
  answers,
  creationAnswers,
  declareRoute,
  idParams,
  jsonBody,
  optionalJsonBody,
  personAccess,
  streamAnswers,
  streamStart,
} from './declare-route.ts'

export const listSessionsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions',
  summary: 'List sessions, newest first',
  request: { query: sessionQuerySchema },
  responses: answers('A page of sessions', pageSchema(sessionSchema)),
})

export const getSessionRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions/{id}',
  summary: 'Get a session',
  request: { params: idParams },
  responses: answers('The session', sessionSchema),
})

export const openSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions',
  summary: 'Open a personal session: one agent in its own working tree',
  request: { body: jsonBody(openSessionRequestSchema) },
  responses: creationAnswers('The session', sessionSchema),
})

export const askSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/queries',
  summary: 'Ask an earlier session; this creates a session whose last turn is the answer',
  request: { body: jsonBody(sessionQuestionSchema) },
  responses: creationAnswers('The session that answers', sessionSchema),
})

export const listSessionEventsRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions/{id}/events',
  summary: 'Get the transcript of a session, oldest first',
  request: { params: idParams, query: eventPageQuerySchema },
  responses: answers('Events', eventPageSchema),
})

export const streamSessionRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/sessions/{id}/stream',
  summary: 'Follow a session; Last-Event-ID or `after` replays the events after that one',
  request: { params: idParams, ...streamStart },
  responses: streamAnswers(
    'A `connected` event, the events of the session, and `session_finished` at the end',
    z.union([sessionConnectedSchema, streamedEventSchema, sessionFinishedSchema]),
  ),
})

export const stopSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/stop',
  summary: 'Stop a session; with `force`, kill its program immediately',
  request: { params: idParams, body: optionalJsonBody(stopSessionRequestSchema) },
  responses: answers('The session', sessionSchema),
})

export const suspendSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/suspend',
  summary: 'Suspend a session: stop its program, keep its tree and conversation',
  request: { params: idParams, body: optionalJsonBody(suspendSessionRequestSchema) },
  responses: answers('The session', sessionSchema),
})

export const resumeSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/resume',
  summary: 'Resume a suspended session, with this prompt or the default one',
  request: { params: idParams, body: optionalJsonBody(resumeSessionRequestSchema) },
  responses: answers('The session', sessionSchema),
})

export const interruptSessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/interrupt',
  summary: 'Interrupt the current turn of a session',
  request: { params: idParams },
  responses: answers('The session', sessionSchema),
})

export const saySessionRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/sessions/{id}/messages',
  summary: 'Send a message to a session; it is delivered after the current turn',
  request: { params: idParams, body: jsonBody(saySessionRequestSchema) },
  responses: answers('The session', sessionSchema),
})
