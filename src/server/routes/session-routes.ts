import type { OpenAPIHono } from '@hono/zod-openapi'
import type { z } from 'zod'
import {
  askSessionRoute,
  getSessionRoute,
  interruptSessionRoute,
  listSessionEventsRoute,
  listSessionsRoute,
  openSessionRoute,
  resumeSessionRoute,
  saySessionRoute,
  stopSessionRoute,
  suspendSessionRoute,
} from '../../contract/routes/session-routes.ts'
import type { sessionQuestionSchema } from '../../contract/session-requests.ts'
import type { SessionId } from '../../domain/id.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import {
  type JobNotFound,
  parseJobId,
  parseSessionId,
  type SessionNotFound,
} from '../../engine/queries/find-record.ts'
import type { SessionView } from '../../engine/queries/sessions.ts'
import type { SessionControlFailure } from '../../engine/sessions/control-session.ts'
import type { QueryRequest } from '../../engine/sessions/create/ask-session.ts'
import { answer, answerCreated } from '../answer.ts'
import { refuse } from '../refuse.ts'
import { eventPageToWire } from '../render/event-to-wire.ts'
import { pageToWire } from '../render/page-to-wire.ts'
import { sessionToWire } from '../render/session-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

type Needs = Pick<ServerNeeds, 'queries' | 'sessions'>
type App = OpenAPIHono<ServerEnvironment>

export function addSessionRoutes(needs: Needs, app: App): void {
  addQueryRoutes(needs, app)
  addOpeningRoutes(needs, app)
  addControlRoutes(needs, app)
}

function addQueryRoutes({ queries }: Needs, app: App): void {
  app.openapi(listSessionsRoute, async (context) => {
    const { resumable, askable, ...query } = context.req.valid('query')
    const sessions = await queries.sessions({
      ...query,
      isResumable: resumable && true,
      isAskable: askable && true,
    })
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

/** Sessions that a person starts: a personal one, or a question to an earlier one. */
function addOpeningRoutes({ sessions }: Needs, app: App): void {
  const render = (session: Session) => sessionToWire({ session })

  app.openapi(openSessionRoute, async (context) => {
    const created = await sessions.create(withoutUndefined(context.req.valid('json')))
    return answerCreated(context, created, render)
  })

  app.openapi(askSessionRoute, async (context) => {
    const request = toQueryRequest(context.req.valid('json'))
    if (!request.ok) return refuse(context, request.failure)
    return answerCreated(context, await sessions.ask(request.value), render)
  })
}

function addControlRoutes(needs: Needs, app: App): void {
  const { sessions } = needs

  app.openapi(stopSessionRoute, async (context) => {
    const { reason, force: isForced = false } = context.req.valid('json')
    const stop = (id: SessionId) => sessions.stop(id, { reason, isForced })
    return answer(context, await control(needs, context.req.valid('param').id, stop), sessionToWire)
  })

  app.openapi(suspendSessionRoute, async (context) => {
    const { reason } = context.req.valid('json')
    const suspend = (id: SessionId) => sessions.suspend(id, reason)
    return answer(context, await control(needs, context.req.valid('param').id, suspend), sessionToWire)
  })

  app.openapi(resumeSessionRoute, async (context) => {
    const { prompt } = context.req.valid('json')
    const resume = (id: SessionId) => sessions.resume(id, prompt)
    return answer(context, await control(needs, context.req.valid('param').id, resume), sessionToWire)
  })

  app.openapi(interruptSessionRoute, async (context) => {
    const interrupt = (id: SessionId) => sessions.interrupt(id)
    return answer(context, await control(needs, context.req.valid('param').id, interrupt), sessionToWire)
  })

  app.openapi(saySessionRoute, async (context) => {
    const { text } = context.req.valid('json')
    const say = (id: SessionId) => sessions.say(id, text)
    return answer(context, await control(needs, context.req.valid('param').id, say), sessionToWire)
  })
}

type Act = (sessionId: SessionId) => Promise<Result<Session, SessionControlFailure>>

async function control(
  needs: Needs,
  id: string,
  act: Act,
): Promise<Result<SessionView, SessionControlFailure | SessionNotFound>> {
  const sessionId = parseSessionId(id)
  const done = sessionId.ok ? await act(sessionId.value) : sessionId
  return done.ok ? success(await needs.queries.viewSession(done.value)) : done
}

function toQueryRequest(
  wire: z.output<typeof sessionQuestionSchema>,
): Result<QueryRequest, JobNotFound | SessionNotFound> {
  const { question, timeoutSeconds, sessionId: text, role, agent: agentName, job } = wire
  const rest = withoutUndefined({ question, timeoutSeconds })
  if (text !== undefined) {
    const sessionId = parseSessionId(text)
    return sessionId.ok
      ? success({ ...rest, of: { type: 'session', sessionId: sessionId.value } })
      : sessionId
  }
  const jobId = job === undefined ? undefined : parseJobId(job)
  if (jobId?.ok === false) return jobId
  const filter = withoutUndefined({ role, agentName, jobId: jobId?.value })
  return success({ ...rest, of: { type: 'newest', filter } })
}
