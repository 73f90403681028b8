import type { OpenAPIHono } from '@hono/zod-openapi'
import { acceptAuditRoute, listAuditRoute, verifyAuditRoute } from '../../contract/routes/audit-routes.ts'
import { answer, succeed } from '../answer.ts'
import { auditCheckToWire, auditRowToWire } from '../render/audit-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

export function addAuditRoutes(
  { audit }: Pick<ServerNeeds, 'audit'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(listAuditRoute, async (context) => {
    const rows = await audit.list(context.req.valid('query'))
    return context.json(succeed({ items: rows.map(auditRowToWire) }), 200)
  })

  app.openapi(verifyAuditRoute, async (context) =>
    context.json(succeed(auditCheckToWire(await audit.verify())), 200),
  )

  app.openapi(acceptAuditRoute, async (context) => answer(context, await audit.accept(), auditCheckToWire))
}
