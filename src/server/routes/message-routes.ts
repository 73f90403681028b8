import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ApiFailure } from '../../contract/failure/api-failure.ts'
import {
  acknowledgeInboxRoute,
  acknowledgeMessageRoute,
  askQuestionRoute,
  claimCompleteRoute,
  getMessageRoute,
  handOffRoute,
  listMessagesRoute,
  listSentRoute,
  listSkillsRoute,
  readInboxRoute,
  readMessageRoute,
  readSkillRoute,
  readThreadRoute,
  reportProgressRoute,
  sendAsAgentRoute,
  sendMessageRoute,
} from '../../contract/routes/message-routes.ts'
import { assertNever } from '../../domain/assert-never.ts'
import type { Message } from '../../domain/message/message.ts'
import { describeMessageFailure, type MessageFailure } from '../../domain/message/message-failure.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { AgentCommands, PersonCommands } from '../../engine/messages/message-commands.ts'
import { answer, answerCreated, succeed } from '../answer.ts'
import type { AgentGuard } from '../mcp/agent-guard.ts'
import { patienceOf } from '../mcp/patience-of.ts'
import { threadPage } from '../mcp/thread-page.ts'
import { refuse } from '../refuse.ts'
import { messageToWire } from '../render/message-to-wire.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

type App = OpenAPIHono<ServerEnvironment>
type PersonNeeds = Pick<ServerNeeds, 'queries'> & { readonly people: PersonCommands }
type AgentNeeds = Pick<ServerNeeds, 'queries'> & {
  readonly agents: AgentCommands
  readonly guard: AgentGuard
}

/** Messages, for people. */
export function addMessageRoutes({ queries, people }: PersonNeeds, app: App): void {
  app.openapi(listMessagesRoute, async (context) => {
    const messages = await queries.messages(context.req.valid('query'))
    return context.json(succeed(pageToWire(messageToWire)(messages)), 200)
  })

  app.openapi(getMessageRoute, async (context) =>
    answer(context, await queries.message(context.req.valid('param').id), messageToWire),
  )

  app.openapi(sendMessageRoute, async (context) => {
    const { to, inReplyTo, type, messageType = type, ...message } = context.req.valid('json')
    const key = context.req.valid('header')['idempotency-key']
    const sent =
      inReplyTo === undefined
        ? await people.send({ ...message, messageType, to: to ?? '', key })
        : await people.answer({ inReplyTo, body: message.body, key })
    return answerCreated(context, orRefusal(sent), messageToWire)
  })

  app.openapi(acknowledgeMessageRoute, async (context) => {
    const { id } = context.req.valid('param')
    const read = await people.acknowledge([id])
    const [message] = read.ok ? read.value : []
    const found =
      message === undefined ? failure({ type: 'message-not-found', id } as const) : success(message)
    return answer(context, orRefusal(read.ok ? found : read), messageToWire)
  })
}

/** Messages, for agents that call from a shell. */
export function addAgentMessageRoutes(needs: AgentNeeds, app: App): void {
  addInboxRoutes(needs, app)
  addSendingRoutes(needs, app)
  addSkillRoutes(needs, app)
}

function addInboxRoutes({ agents, guard, queries }: AgentNeeds, app: App): void {
  const listed = (messages: readonly Message[]) => ({ items: messages.map(messageToWire) })

  app.openapi(readInboxRoute, async (context) => {
    const patience = patienceOf(context.req.valid('query').wait, context.req.raw.signal)
    return answer(context, orRefusal(await agents.inbox(guard.sessionOf(context), patience)), listed)
  })

  app.openapi(acknowledgeInboxRoute, async (context) => {
    const { acknowledge } = context.req.valid('json')
    return answer(context, orRefusal(await agents.acknowledge(guard.sessionOf(context), acknowledge)), listed)
  })

  app.openapi(listSentRoute, async (context) => {
    const sender = guard.sessionOf(context)
    const allowed = await agents.mayUse(sender, 'send')
    if (!allowed.ok) return refuse(context, messageRefusal(allowed.failure))
    const messages = await queries.messages({ sender, ...context.req.valid('query') })
    return context.json(succeed(pageToWire(messageToWire)(messages)), 200)
  })

  app.openapi(readMessageRoute, async (context) => {
    const message = await agents.read(guard.sessionOf(context), context.req.valid('param').id)
    return answer(context, orRefusal(message), messageToWire)
  })

  app.openapi(readThreadRoute, async (context) => {
    const thread = await threadPage(agents, guard.sessionOf(context), context.req.valid('query'))
    return answer(context, orRefusal(thread), pageToWire(messageToWire))
  })
}

function addSendingRoutes({ agents, guard }: AgentNeeds, app: App): void {
  const post = async (context: Context, request: Parameters<AgentCommands['post']>[1]) =>
    answerCreated(context, orRefusal(await agents.post(guard.sessionOf(context), request)), messageToWire)

  app.openapi(sendAsAgentRoute, (context) => post(context, { type: 'send', ...context.req.valid('json') }))

  app.openapi(reportProgressRoute, (context) =>
    post(context, { type: 'progress', ...context.req.valid('json') }),
  )

  app.openapi(claimCompleteRoute, (context) =>
    post(context, { type: 'complete', ...context.req.valid('json') }),
  )

  app.openapi(handOffRoute, (context) => post(context, { type: 'handoff', ...context.req.valid('json') }))

  app.openapi(askQuestionRoute, async (context) => {
    const { wait, ...request } = context.req.valid('json')
    const patience = patienceOf(wait, context.req.raw.signal)
    const asked = await agents.ask(guard.sessionOf(context), request, patience)
    return answerCreated(context, orRefusal(asked), ({ question, answer: given }) => ({
      question: messageToWire(question),
      ...(given === undefined ? {} : { answer: messageToWire(given) }),
    }))
  })
}

function addSkillRoutes({ agents, guard }: AgentNeeds, app: App): void {
  app.openapi(listSkillsRoute, async (context) => {
    const skills = await agents.skills(guard.sessionOf(context))
    return answer(context, orRefusal(skills), (found) => ({ items: [...found] }))
  })

  app.openapi(readSkillRoute, async (context) => {
    const skill = await agents.skill(guard.sessionOf(context), context.req.valid('param').name)
    return answer(context, orRefusal(skill), (found) => found)
  })
}

function orRefusal<Value>(result: Result<Value, MessageFailure>): Result<Value, ApiFailure> {
  return result.ok ? result : failure(messageRefusal(result.failure))
}

/** The HTTP failure for a message that was not accepted. */
function messageRefusal(refused: MessageFailure): ApiFailure {
  switch (refused.type) {
    case 'session-over':
      return { type: 'unauthorized' }
    case 'tool-not-allowed':
      return refused
    case 'message-not-found':
      return { type: 'not-found', what: 'message', id: refused.id }
    case 'skill-not-found':
      return { type: 'not-found', what: 'skill', id: refused.name }
    case 'message-too-large':
      return issue(refused.part, refused)
    case 'too-much-text':
      return issue('body', refused)
    case 'deadline-invalid':
      return issue('deadline', refused)
    case 'recipient-unknown':
    case 'recipient-gone':
    case 'job-over':
    case 'predecessor-absent':
      return issue('to', refused)
    case 'question-answered':
      return issue('inReplyTo', refused)
    case 'answer-in-words':
    case 'handoff-impossible':
    case 'message-empty':
    case 'too-many-messages':
    case 'thread-absent':
      return issue('', refused)
    default:
      return assertNever(refused)
  }
}

function issue(field: string, refused: MessageFailure): ApiFailure {
  return { type: 'bad-request', issues: [{ field, problem: describeMessageFailure(refused) }] }
}
