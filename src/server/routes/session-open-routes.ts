import type { OpenAPIHono } from '@hono/zod-openapi'
import type { z } from 'zod'
import { askSessionRoute, openSessionRoute } from '../../contract/routes/session-routes.ts'
import type { ParsedOpenSessionRequest, sessionQuestionSchema } from '../../contract/session-requests.ts'
import { type Result, success } from '../../domain/result.ts'
import type { QueryRequest } from '../../engine/sessions/ask-session.ts'
import type { OpenSessionRequest } from '../../engine/sessions/open-session.ts'
import { type JobNotFound, parseJobId, parseSessionId, type SessionNotFound } from '../find-record.ts'
import { refuse } from '../refuse.ts'
import { sessionToWire } from '../render/session-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'
import { succeed } from '../succeed.ts'

type Question = z.output<typeof sessionQuestionSchema>
type Asked = Result<QueryRequest, JobNotFound | SessionNotFound>

/** Sessions that a person begins: one of their own, or a question to an earlier one. */
export function addSessionOpenRoutes(
  needs: Pick<ServerNeeds, 'sessions'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(openSessionRoute, async (context) => {
    const opened = await needs.sessions.open(toOpenRequest(context.req.valid('json')))
    if (!opened.ok) return refuse(context, opened.failure)
    return context.json(succeed(sessionToWire(opened.value)), 201)
  })

  app.openapi(askSessionRoute, async (context) => {
    const request = toQueryRequest(context.req.valid('json'))
    if (!request.ok) return refuse(context, request.failure)
    const asked = await needs.sessions.ask(request.value)
    if (!asked.ok) return refuse(context, asked.failure)
    return context.json(succeed(sessionToWire(asked.value)), 201)
  })
}

function toOpenRequest(request: ParsedOpenSessionRequest): OpenSessionRequest {
  const { repositoryPath, mode, prompt, agent, role, baseBranch } = request
  return {
    repositoryPath,
    mode,
    prompt,
    ...(agent === undefined ? {} : { agent }),
    ...(role === undefined ? {} : { role }),
    ...(baseBranch === undefined ? {} : { baseBranch }),
  }
}

function toQueryRequest({ question, sessionId: text, role, agent, job, timeoutSeconds }: Question): Asked {
  const rest = { question, ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) }
  if (text !== undefined) {
    const sessionId = parseSessionId(text)
    if (!sessionId.ok) return sessionId
    return success({ ...rest, of: { type: 'session', sessionId: sessionId.value } })
  }
  const jobId = job === undefined ? undefined : parseJobId(job)
  if (jobId?.ok === false) return jobId
  const filter = {
    ...(role === undefined ? {} : { role }),
    ...(agent === undefined ? {} : { agentName: agent }),
    ...(jobId === undefined ? {} : { jobId: jobId.value }),
  }
  return success({ ...rest, of: { type: 'newest', filter } })
}
