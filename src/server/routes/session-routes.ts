import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  getSessionRoute,
  listSessionEventsRoute,
  listSessionsRoute,
} from '../../contract/routes/session-routes.ts'
import { answer } from '../answer.ts'
import { eventPageToWire } from '../render/event-to-wire.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import { sessionToWire } from '../render/session-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

export function addSessionRoutes(
  { queries }: Pick<ServerNeeds, 'queries'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listSessionsRoute, async (context) => {
    const { resumable, ...query } = context.req.valid('query')
    const sessions = await queries.sessions({ ...query, isResumable: resumable && true })
    return answer(context, sessions, pageToWire(sessionToWire))
  })

  app.openapi(getSessionRoute, async (context) => {
    const session = await queries.session(context.req.valid('param').id)
    return answer(context, session, sessionToWire)
  })

  app.openapi(listSessionEventsRoute, async (context) => {
    const { id: session } = context.req.valid('param')
    const events = await queries.sessionEvents({ session, ...context.req.valid('query') })
    return answer(context, events, eventPageToWire)
  })
}
