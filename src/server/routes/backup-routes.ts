import type { OpenAPIHono } from '@hono/zod-openapi'
import { getBackupRoute, startBackupRoute } from '../../contract/routes/backup-routes.ts'
import { answer, succeed } from '../answer.ts'
import { backupToWire } from '../render/backup-to-wire.ts'
import type { ServerEnvironment, ServerNeeds } from '../server-needs.ts'

export function addBackupRoutes(
  { backup }: Pick<ServerNeeds, 'backup'>,
  app: OpenAPIHono<ServerEnvironment>,
): void {
  app.openapi(startBackupRoute, (context) =>
    answer(context, backup.start(context.req.valid('json')), backupToWire),
  )

  app.openapi(getBackupRoute, (context) => context.json(succeed(backupToWire(backup.state)), 200))
}
