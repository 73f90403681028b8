import { z } from 'zod'
import {
  acknowledgeRequestSchema,
  askedSchema,
  askRequestSchema,
  completeRequestSchema,
  handoffRequestSchema,
  inboxQuerySchema,
  messageListSchema,
  messagePageSchema,
  messageQuerySchema,
  messageSchema,
  personMessageRequestSchema,
  progressRequestSchema,
  sendRequestSchema,
  skillListSchema,
  skillSchema,
} from '../message.ts'
import { pageQuerySchema } from '../page-query.ts'
import { idempotencyKeySchema } from '../start-job-request.ts'
import { answers, creationAnswers } from './answers.ts'
import { agentAccess, declareRoute, idParams, jsonBody, personAccess } from './declare-route.ts'

export const listMessagesRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/messages',
  summary: 'Messages between agents, people and the engine, newest first',
  request: { query: messageQuerySchema },
  responses: answers('A page of messages', messagePageSchema),
})

export const sendMessageRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/messages',
  summary: 'Write to a session, an agent or a role, or answer a question',
  request: {
    headers: z.object({ 'idempotency-key': idempotencyKeySchema }),
    body: jsonBody(personMessageRequestSchema),
  },
  responses: creationAnswers('The message', messageSchema),
})

export const acknowledgeMessageRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/messages/{id}/acknowledge',
  summary: 'Say that a message to you was read',
  request: { params: idParams },
  responses: answers('The message', messageSchema),
})

export const readInboxRoute = declareRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/inbox',
  summary: 'What is addressed to this session, its agent or its role, oldest first',
  request: { query: inboxQuerySchema },
  responses: answers('Messages; each comes again until it is acknowledged', messageListSchema),
})

export const acknowledgeInboxRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/inbox',
  summary: 'Say that messages arrived',
  request: { body: jsonBody(acknowledgeRequestSchema) },
  responses: answers('The messages', messageListSchema),
})

export const listSentRoute = declareRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/messages',
  summary: 'What this session sent, newest first, with receipts',
  request: { query: pageQuerySchema },
  responses: answers('A page of messages', messagePageSchema),
})

export const sendAsAgentRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/messages',
  summary: 'Write to people or to others of the same job',
  request: { body: jsonBody(sendRequestSchema) },
  responses: creationAnswers('The message', messageSchema),
})

export const reportProgressRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/progress',
  summary: 'Tell watchers how far it is',
  request: { body: jsonBody(progressRequestSchema) },
  responses: creationAnswers('The message', messageSchema),
})

export const claimCompleteRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/complete',
  summary: 'Claim to be done',
  request: { body: jsonBody(completeRequestSchema) },
  responses: creationAnswers('The message', messageSchema),
})

export const handOffRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/handoff',
  summary: 'Leave the work to the next session, with a note',
  request: { body: jsonBody(handoffRequestSchema) },
  responses: creationAnswers('The message', messageSchema),
})

export const askQuestionRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/ask',
  summary: 'Ask a person, a role or a predecessor',
  request: { body: jsonBody(askRequestSchema) },
  responses: creationAnswers('The question, and the answer if it came in time', askedSchema),
})

export const listSkillsRoute = declareRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/skills',
  summary: "The project's skills",
  responses: answers('The skills', skillListSchema),
})

export const readSkillRoute = declareRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/skills/{name}',
  summary: 'One skill whole',
  request: { params: z.object({ name: z.string().max(64) }) },
  responses: answers('The skill', skillSchema),
})
