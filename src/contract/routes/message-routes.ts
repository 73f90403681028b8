import { createRoute } from '@hono/zod-openapi'
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
import { personAccess } from './route-access.ts'

/** For the agent of a live session, by the token it was started with. */
const agentAccess = {
  'x-access': 'agent' as const,
  security: [{ session: [] }] satisfies Record<string, string[]>[],
}

const json = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
})

export const listMessagesRoute = createRoute({
  ...personAccess,
  method: 'get',
  path: '/api/messages',
  summary: 'Letters between agents, people and the engine, newest first',
  request: { query: messageQuerySchema },
  responses: answers('A page of letters', messagePageSchema),
})

export const sendMessageRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/messages',
  summary: 'Write to a session, an agent or a role, or answer a question',
  request: {
    headers: z.object({ 'idempotency-key': idempotencyKeySchema }),
    body: json(personMessageRequestSchema),
  },
  responses: creationAnswers('The letter', messageSchema),
})

export const acknowledgeMessageRoute = createRoute({
  ...personAccess,
  method: 'post',
  path: '/api/messages/{id}/acknowledge',
  summary: 'Say that a letter to you was read',
  request: { params: z.object({ id: z.string().max(64) }) },
  responses: answers('The letter', messageSchema),
})

export const readInboxRoute = createRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/inbox',
  summary: 'What is addressed to this session, its agent or its role, oldest first',
  request: { query: inboxQuerySchema },
  responses: answers('Letters; each comes again until it is acknowledged', messageListSchema),
})

export const acknowledgeInboxRoute = createRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/inbox',
  summary: 'Say that letters arrived',
  request: { body: json(acknowledgeRequestSchema) },
  responses: answers('The letters', messageListSchema),
})

export const listSentRoute = createRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/messages',
  summary: 'What this session sent, newest first, with receipts',
  request: { query: pageQuerySchema },
  responses: answers('A page of letters', messagePageSchema),
})

export const sendAsAgentRoute = createRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/messages',
  summary: 'Write to people or to others of the same job',
  request: { body: json(sendRequestSchema) },
  responses: creationAnswers('The letter', messageSchema),
})

export const reportProgressRoute = createRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/progress',
  summary: 'Tell watchers how far it is',
  request: { body: json(progressRequestSchema) },
  responses: creationAnswers('The letter', messageSchema),
})

export const claimCompleteRoute = createRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/complete',
  summary: 'Claim to be done',
  request: { body: json(completeRequestSchema) },
  responses: creationAnswers('The letter', messageSchema),
})

export const handOffRoute = createRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/handoff',
  summary: 'Leave the work to the next session, with a note',
  request: { body: json(handoffRequestSchema) },
  responses: creationAnswers('The letter', messageSchema),
})

export const askQuestionRoute = createRoute({
  ...agentAccess,
  method: 'post',
  path: '/api/agent/ask',
  summary: 'Ask a person, a role or a predecessor',
  request: { body: json(askRequestSchema) },
  responses: creationAnswers('The question, and the answer if it came in time', askedSchema),
})

export const listSkillsRoute = createRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/skills',
  summary: "The project's skills",
  responses: answers('The skills', skillListSchema),
})

export const readSkillRoute = createRoute({
  ...agentAccess,
  method: 'get',
  path: '/api/agent/skills/{name}',
  summary: 'One skill whole',
  request: { params: z.object({ name: z.string().max(64) }) },
  responses: answers('The skill', skillSchema),
})
