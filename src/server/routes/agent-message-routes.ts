import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import {
  acknowledgeInboxRoute,
  askQuestionRoute,
  claimCompleteRoute,
  handOffRoute,
  listSentRoute,
  listSkillsRoute,
  readInboxRoute,
  readSkillRoute,
  reportProgressRoute,
  sendAsAgentRoute,
} from '../../contract/routes/message-routes.ts'
import type { AgentCommands } from '../../engine/messages/message-commands.ts'
import { succeed } from '../answer.ts'
import type { AgentGuard } from '../mcp/agent-guard.ts'
import { messageRefusal } from '../mcp/message-refusal.ts'
import { patienceOf } from '../mcp/patience-of.ts'
import { refuse } from '../refuse.ts'
import { messageToWire } from '../render/message-to-wire.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

type Needs = Pick<ServerNeeds, 'queries'> & { readonly agents: AgentCommands; readonly guard: AgentGuard }
type App = OpenAPIHono<ServerEnvironment>

/** Messages, for agents that call from a shell. */
export function addAgentMessageRoutes(needs: Needs, app: App): void {
  addInboxRoutes(needs, app)
  addSendingRoutes(needs, app)
  addSkillRoutes(needs, app)
}

function addInboxRoutes({ agents, guard, queries }: Needs, app: App): void {
  app.openapi(readInboxRoute, async (context) => {
    const patience = patienceOf(context.req.valid('query').wait, context.req.raw.signal)
    const read = await agents.inbox(guard.sessionOf(context), patience)
    if (!read.ok) return refuse(context, messageRefusal(read.failure))
    return context.json(succeed({ items: read.value.map(messageToWire) }), 200)
  })

  app.openapi(acknowledgeInboxRoute, async (context) => {
    const read = await agents.acknowledge(guard.sessionOf(context), context.req.valid('json').acknowledge)
    if (!read.ok) return refuse(context, messageRefusal(read.failure))
    return context.json(succeed({ items: read.value.map(messageToWire) }), 200)
  })

  app.openapi(listSentRoute, async (context) => {
    const sender = guard.sessionOf(context)
    const messages = await queries.messages({ sender, ...context.req.valid('query') })
    return context.json(succeed(pageToWire(messageToWire)(messages)), 200)
  })
}

function addSendingRoutes({ agents, guard }: Needs, app: App): void {
  const post = (context: Context, request: Parameters<AgentCommands['post']>[1]) =>
    agents.post(guard.sessionOf(context), request)

  app.openapi(sendAsAgentRoute, async (context) => {
    const sent = await post(context, { type: 'send', ...context.req.valid('json') })
    if (!sent.ok) return refuse(context, messageRefusal(sent.failure))
    return context.json(succeed(messageToWire(sent.value)), 201)
  })

  app.openapi(reportProgressRoute, async (context) => {
    const sent = await post(context, { type: 'progress', ...context.req.valid('json') })
    if (!sent.ok) return refuse(context, messageRefusal(sent.failure))
    return context.json(succeed(messageToWire(sent.value)), 201)
  })

  app.openapi(claimCompleteRoute, async (context) => {
    const sent = await post(context, { type: 'complete', ...context.req.valid('json') })
    if (!sent.ok) return refuse(context, messageRefusal(sent.failure))
    return context.json(succeed(messageToWire(sent.value)), 201)
  })

  app.openapi(handOffRoute, async (context) => {
    const sent = await post(context, { type: 'handoff', ...context.req.valid('json') })
    if (!sent.ok) return refuse(context, messageRefusal(sent.failure))
    return context.json(succeed(messageToWire(sent.value)), 201)
  })

  app.openapi(askQuestionRoute, async (context) => {
    const { wait, ...request } = context.req.valid('json')
    const patience = patienceOf(wait, context.req.raw.signal)
    const asked = await agents.ask(guard.sessionOf(context), request, patience)
    if (!asked.ok) return refuse(context, messageRefusal(asked.failure))
    const { question, answer } = asked.value
    const answered = answer === undefined ? {} : { answer: messageToWire(answer) }
    return context.json(succeed({ question: messageToWire(question), ...answered }), 201)
  })
}

function addSkillRoutes({ agents, guard }: Needs, app: App): void {
  app.openapi(listSkillsRoute, async (context) => {
    const skills = await agents.skills(guard.sessionOf(context))
    if (!skills.ok) return refuse(context, messageRefusal(skills.failure))
    return context.json(succeed({ items: [...skills.value] }), 200)
  })

  app.openapi(readSkillRoute, async (context) => {
    const skill = await agents.skill(guard.sessionOf(context), context.req.valid('param').name)
    if (!skill.ok) return refuse(context, messageRefusal(skill.failure))
    return context.json(succeed(skill.value), 200)
  })
}
