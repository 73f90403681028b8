import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { z } from 'zod'
import { HTTP_LIMITS } from '../domain/limits/http-limits.ts'
import { answerError } from './answer-error.ts'
import { checkBodySize, checkBodyType } from './guard/check-body.ts'
import { checkToken } from './guard/check-token.ts'
import { redactFailures } from './guard/redact-failures.ts'
import { addMcpRoute } from './mcp/add-mcp-route.ts'
import { checkAccess, createAgentGuard } from './mcp/agent-guard.ts'
import { refuse } from './refuse.ts'
import { addApprovalRoutes } from './routes/approval-routes.ts'
import { addAuditRoutes } from './routes/audit-routes.ts'
import { addBackupRoutes } from './routes/backup-routes.ts'
import { addCleanupRoutes } from './routes/cleanup-routes.ts'
import { addDaemonRoutes } from './routes/daemon-routes.ts'
import { addJobDocumentRoutes } from './routes/job-document-routes.ts'
import { addJobRoutes } from './routes/job-routes.ts'
import { addAgentMessageRoutes, addMessageRoutes } from './routes/message-routes.ts'
import { addPlaybookRoutes } from './routes/playbook-routes.ts'
import { addRecordRoutes } from './routes/record-routes.ts'
import { addReportRoutes } from './routes/report-routes.ts'
import { addRunResultRoutes, addRunRoutes } from './routes/run-routes.ts'
import { addSessionRoutes } from './routes/session-routes.ts'
import { addStreamRoutes } from './routes/stream-routes.ts'
import { addTrustRoutes } from './routes/trust-routes.ts'
import type { ServerEnvironment, ServerNeeds } from './server-needs.ts'
import type { StreamNeeds } from './sse/stream-response.ts'

/** The API behind its guards: token, then body, then route. The address has already been checked. */
export function createApp(needs: ServerNeeds & StreamNeeds): OpenAPIHono<ServerEnvironment> {
  const app = new OpenAPIHono<ServerEnvironment>({ defaultHook: answerInvalid })
  app.onError((error, context) => answerError(needs, error, context))
  app.notFound((context) => {
    const id = needs.redact(`${context.req.method} ${context.req.path}`).slice(0, 200)
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
  addRunRoutes(needs, app)
  addRunResultRoutes(needs, app)
  addSessionRoutes(needs, app)
  addApprovalRoutes(needs, app)
  addAuditRoutes(needs, app)
  addBackupRoutes(needs, app)
  addTrustRoutes(needs, app)
  addPlaybookRoutes(needs, app)
  addCleanupRoutes(needs, app)
  addDaemonRoutes(needs, app)
  return app
}

type Validation = { readonly success: true } | { readonly success: false; readonly error: z.ZodError }

/** The response to a request that doesn't match its route's schema; undefined if it does. */
function answerInvalid(validation: Validation, context: Context) {
  if (validation.success) return undefined
  const issues = validation.error.issues
    .slice(0, HTTP_LIMITS.issues)
    .map((issue) => ({ field: issue.path.join('.'), problem: issue.message }))
  return refuse(context, { type: 'bad-request', issues })
}
