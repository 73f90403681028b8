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
  threadQuerySchema,
} from '../message.ts'
import { pageQuerySchema } from '../page-query.ts'
import { idempotencyKeySchema } from '../start-job-request.ts'
import {
  agentAccess,
  answers,
  creationAnswers,
  declareRoute,
  idParams,
  jsonBody,
  personAccess,
} from './declare-route.ts'

export const listMessagesRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/messages',
  summary: 'List messages between agents, people and the engine, newest first',
  request: { query: messageQuerySchema },
  responses: answers('A page of messages', messagePageSchema),
})

export const getMessageRoute = declareRoute({
  ...personAccess,
  method: 'get',
  path: '/api/messages/{id}',
  summary: 'Get a message with its whole text',
  request: { params: idParams },
  responses: answers('The message', messageSchema),
})

export const sendMessageRoute = declareRoute({
  ...personAccess,
  method: 'post',
  path: '/api/messages',
  summary: 'Send a message to a session, an agent or a role, or answer a question',
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
  summary: 'Acknowledge a message to you',
  request: { params: idParams },
  responses: answers('The message', messageSchema),
})

export const readInboxRoute = declareRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/inbox',
  summary: 'List messages to this session, its agent or its role, oldest first',
  request: { query: inboxQuerySchema },
  responses: answers('Messages; each is returned until it is acknowledged', messageListSchema),
})

export const acknowledgeInboxRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/inbox',
  summary: 'Acknowledge messages',
  request: { body: jsonBody(acknowledgeRequestSchema) },
  responses: answers('The messages', messageListSchema),
})

export const listSentRoute = declareRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/messages',
  summary: 'List messages this session has sent, newest first, with their delivery status',
  request: { query: pageQuerySchema },
  responses: answers('A page of messages', messagePageSchema),
})

export const readMessageRoute = declareRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/messages/{id}',
  summary: 'Get a message to this session, from it or in the thread of its run, with its whole text',
  request: { params: idParams },
  responses: answers('The message', messageSchema),
})

export const readThreadRoute = declareRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/thread',
  summary: "List the messages of this session's run, newest first",
  request: { query: threadQuerySchema },
  responses: answers('A page of messages', messagePageSchema),
})

export const sendAsAgentRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/messages',
  summary: 'Send a message to a person or to other agents in the same job',
  request: { body: jsonBody(sendRequestSchema) },
  responses: creationAnswers('The message', messageSchema),
})

export const reportProgressRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/progress',
  summary: 'Report progress',
  request: { body: jsonBody(progressRequestSchema) },
  responses: creationAnswers('The message', messageSchema),
})

export const claimCompleteRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/complete',
  summary: 'Report the task as complete',
  request: { body: jsonBody(completeRequestSchema) },
  responses: creationAnswers('The message', messageSchema),
})

export const handOffRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/handoff',
  summary: 'Hand the task over to a successor session, with a note',
  request: { body: jsonBody(handoffRequestSchema) },
  responses: creationAnswers('The message', messageSchema),
})

export const askQuestionRoute = declareRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/ask',
  summary: 'Ask a person, a role or a predecessor',
  request: { body: jsonBody(askRequestSchema) },
  responses: creationAnswers('The question, and the answer if it arrived in time', askedSchema),
})

export const listSkillsRoute = declareRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/skills',
  summary: "List the project's skills",
  responses: answers('The skills', skillListSchema),
})

export const readSkillRoute = declareRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/skills/{name}',
  summary: 'Get a skill with its text',
  request: { params: z.object({ name: z.string().max(64) }) },
  responses: answers('The skill', skillSchema),
})
