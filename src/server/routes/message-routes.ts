import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  acknowledgeMessageRoute,
  listMessagesRoute,
  sendMessageRoute,
} from '../../contract/routes/message-routes.ts'
import type { PersonCommands } from '../../engine/messages/message-commands.ts'
import { succeed } from '../answer.ts'
import { messageRefusal } from '../mcp/message-refusal.ts'
import { refuse } from '../refuse.ts'
import { messageToWire } from '../render/message-to-wire.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

type Needs = Pick<ServerNeeds, 'queries'> & { readonly people: PersonCommands }

/** Messages, for people. */
export function addMessageRoutes(needs: Needs, app: OpenAPIHono<ServerEnvironment>): void {
  const { queries, people } = needs
  app.openapi(listMessagesRoute, async (context) => {
    const messages = await queries.messages(context.req.valid('query'))
    return context.json(succeed(pageToWire(messageToWire)(messages)), 200)
  })

  app.openapi(sendMessageRoute, async (context) => {
    const { to, inReplyTo, ...message } = context.req.valid('json')
    const key = context.req.valid('header')['idempotency-key']
    const sent =
      inReplyTo === undefined
        ? await people.send({ ...message, to: to ?? '', key })
        : await people.answer({ inReplyTo, body: message.body, key })
    if (!sent.ok) return refuse(context, messageRefusal(sent.failure))
    return context.json(succeed(messageToWire(sent.value)), 201)
  })

  app.openapi(acknowledgeMessageRoute, async (context) => {
    const { id } = context.req.valid('param')
    const read = await people.acknowledge([id])
    if (!read.ok) return refuse(context, messageRefusal(read.failure))
    const [message] = read.value
    if (message === undefined) return refuse(context, { type: 'not-found', what: 'message', id })
    return context.json(succeed(messageToWire(message)), 200)
  })
}
