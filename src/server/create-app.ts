import { OpenAPIHono } from '@hono/zod-openapi'
import { answerError } from './answer-error.ts'
import { answerInvalid } from './answer-invalid.ts'
import { checkBodySize, checkBodyType } from './guard/check-body.ts'
import { checkToken } from './guard/check-token.ts'
import { redactFailures } from './guard/redact-failures.ts'
import { addMcpRoute } from './mcp/add-mcp-route.ts'
import { createAgentGuard } from './mcp/agent-guard.ts'
import { checkAccess } from './mcp/check-access.ts'
import { refuse } from './refuse.ts'
import { addAgentMessageRoutes } from './routes/agent-message-routes.ts'
import { addApprovalRoutes } from './routes/approval-routes.ts'
import { addDaemonRoutes } from './routes/daemon-routes.ts'
import { addJobDocumentRoutes } from './routes/job-document-routes.ts'
import { addJobRoutes } from './routes/job-routes.ts'
import { addMessageRoutes } from './routes/message-routes.ts'
import { addRecordRoutes } from './routes/record-routes.ts'
import { addReportRoutes } from './routes/report-routes.ts'
import { addSessionControlRoutes } from './routes/session-control-routes.ts'
import { addSessionRoutes } from './routes/session-routes.ts'
import { addStreamRoutes } from './routes/stream-routes.ts'
import type { ServerEnvironment, ServerNeeds } from './server-needs.ts'
import type { StreamNeeds } from './sse/stream-response.ts'

/** The API behind its guards: token, then body, then route. The address was checked before it gets here. */
export function createApp(needs: ServerNeeds & StreamNeeds): OpenAPIHono<ServerEnvironment> {
  const app = new OpenAPIHono<ServerEnvironment>({ defaultHook: answerInvalid })
  app.onError((error, context) => answerError(needs, error, context))
  app.notFound((context) => {
    const id = `${context.req.method} ${context.req.path}`.slice(0, 200)
    return refuse(context, { type: 'not-found', what: 'route', id })
  })
  const guard = createAgentGuard(needs)
  app.use(redactFailures(needs.redact))
  app.use(checkAccess(guard.check, checkToken(needs.token)), checkBodyType, checkBodySize)
  addMcpRoute({ agents: needs.messages.agents, guard, version: needs.version }, app)
  addAgentMessageRoutes({ queries: needs.queries, agents: needs.messages.agents, guard }, app)
  addMessageRoutes({ queries: needs.queries, people: needs.messages.people }, app)
  addReportRoutes(needs, app)
  addJobRoutes(needs, app)
  addJobDocumentRoutes(needs, app)
  addStreamRoutes(needs, app)
  addRecordRoutes(needs, app)
  addSessionRoutes(needs, app)
  addSessionControlRoutes(needs, app)
  addApprovalRoutes(needs, app)
  addDaemonRoutes(needs, app)
  return app
}
