import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  acknowledgeMessageRoute,
  listMessagesRoute,
  sendMessageRoute,
} from '../../contract/routes/message-routes.ts'
import { parseId } from '../../domain/id.ts'
import { parseRecipient } from '../../domain/message/recipient.ts'
import type { PersonCommands } from '../../engine/messages/message-commands.ts'
import type { MessageFilter } from '../../ports/store/message-records.ts'
import { messageRefusal } from '../mcp/message-refusal.ts'
import { refuse } from '../refuse.ts'
import { messageToWire } from '../render/message-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'
import { messagePage } from './message-page.ts'

type Needs = Pick<ServerNeeds, 'store'> & { readonly people: PersonCommands }

/** Letters, for people. */
export function addMessageRoutes(needs: Needs, app: OpenAPIHono<ServerEnvironment>): void {
  const { store, people } = needs
  app.openapi(listMessagesRoute, async (context) => {
    const query = context.req.valid('query')
    const filter = filterOf(query)
    // What is no address names nobody, and nobody has letters.
    if (filter === undefined) return context.json(succeed({ items: [] }), 200)
    return context.json(succeed(await messagePage(store.read.messages, filter, query)), 200)
  })

  app.openapi(sendMessageRoute, async (context) => {
    const { to, inReplyTo, ...letter } = context.req.valid('json')
    const key = context.req.valid('header')['idempotency-key']
    const sent =
      inReplyTo === undefined
        ? await people.send({ ...letter, to: to ?? '', key })
        : await people.answer({ inReplyTo, body: letter.body, key })
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

type Asked = {
  readonly job?: string | undefined
  readonly session?: string | undefined
  readonly recipient?: string | undefined
  readonly kind?: MessageFilter['kind'] | undefined
}

function filterOf({ job, session, recipient, kind }: Asked): MessageFilter | undefined {
  const wanted = {
    jobId: job === undefined ? undefined : parseId('job', job),
    sessionId: session === undefined ? undefined : parseId('session', session),
    recipient: recipient === undefined ? undefined : parseRecipient(recipient),
    kind,
  }
  const given = { jobId: job, sessionId: session, recipient, kind }
  const names = Object.keys(given) as (keyof typeof given)[]
  if (names.some((name) => given[name] !== undefined && wanted[name] === undefined)) return undefined
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}
