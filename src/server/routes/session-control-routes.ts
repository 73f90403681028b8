import type { OpenAPIHono } from '@hono/zod-openapi'
import {
  interruptSessionRoute,
  resumeSessionRoute,
  saySessionRoute,
  stopSessionRoute,
  suspendSessionRoute,
} from '../../contract/routes/session-routes.ts'
import type { WireSession } from '../../contract/session.ts'
import type { SessionId } from '../../domain/id.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionControlFailure } from '../../engine/sessions/control-session.ts'
import { parseSessionId, type SessionNotFound } from '../find-record.ts'
import { refuse } from '../refuse.ts'
import { sessionWithTask } from '../render/sessions-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

type Needs = Pick<ServerNeeds, 'store' | 'sessions'>
type Act = (sessionId: SessionId) => Promise<Result<Session, SessionControlFailure>>
type Controlled = Result<WireSession, SessionControlFailure | SessionNotFound>

export function addSessionControlRoutes(needs: Needs, app: OpenAPIHono<ServerEnvironment>): void {
  const { sessions } = needs

  app.openapi(stopSessionRoute, async (context) => {
    const { reason = 'a person stopped it', force: isForced = false } = context.req.valid('json')
    const { id } = context.req.valid('param')
    const done = await control(needs, id, (sessionId) => sessions.stop(sessionId, { reason, isForced }))
    return done.ok ? context.json(succeed(done.value), 200) : refuse(context, done.failure)
  })

  app.openapi(suspendSessionRoute, async (context) => {
    const { reason = 'a person asked for it' } = context.req.valid('json')
    const { id } = context.req.valid('param')
    const done = await control(needs, id, (sessionId) => sessions.suspend(sessionId, reason))
    return done.ok ? context.json(succeed(done.value), 200) : refuse(context, done.failure)
  })

  app.openapi(resumeSessionRoute, async (context) => {
    const { prompt } = context.req.valid('json')
    const { id } = context.req.valid('param')
    const done = await control(needs, id, (sessionId) => sessions.resume(sessionId, prompt))
    return done.ok ? context.json(succeed(done.value), 200) : refuse(context, done.failure)
  })

  app.openapi(interruptSessionRoute, async (context) => {
    const done = await control(needs, context.req.valid('param').id, (sessionId) =>
      sessions.interrupt(sessionId),
    )
    return done.ok ? context.json(succeed(done.value), 200) : refuse(context, done.failure)
  })

  app.openapi(saySessionRoute, async (context) => {
    const { text } = context.req.valid('json')
    const { id } = context.req.valid('param')
    const done = await control(needs, id, (sessionId) => sessions.say(sessionId, text))
    return done.ok ? context.json(succeed(done.value), 200) : refuse(context, done.failure)
  })
}

async function control(needs: Needs, text: string, act: Act): Promise<Controlled> {
  const sessionId = parseSessionId(text)
  if (!sessionId.ok) return sessionId
  const done = await act(sessionId.value)
  return done.ok ? success(await sessionWithTask(needs, done.value)) : done
}
