import * as approvalRoutes from './approval-routes.ts'
import * as auditRoutes from './audit-routes.ts'
import * as backupRoutes from './backup-routes.ts'
import * as cleanupRoutes from './cleanup-routes.ts'
import * as daemonRoutes from './daemon-routes.ts'
import type { RouteAccess } from './declare-route.ts'
import * as jobDocumentRoutes from './job-document-routes.ts'
import * as jobRoutes from './job-routes.ts'
import * as messageRoutes from './message-routes.ts'
import * as playbookRoutes from './playbook-routes.ts'
import * as recordRoutes from './record-routes.ts'
import * as reportRoutes from './report-routes.ts'
import * as runRoutes from './run-routes.ts'
import * as sessionRoutes from './session-routes.ts'
import * as trustRoutes from './trust-routes.ts'

export type DeclaredRoute = {
  readonly method: string
  readonly path: string
  readonly 'x-access': RouteAccess
}

/** Every route, with who may call it. */
export const allRoutes: readonly DeclaredRoute[] = [
  ...Object.values(jobRoutes),
  ...Object.values(jobDocumentRoutes),
  ...Object.values(recordRoutes),
  ...Object.values(runRoutes),
  ...Object.values(reportRoutes),
  ...Object.values(sessionRoutes),
  ...Object.values(approvalRoutes),
  ...Object.values(messageRoutes),
  ...Object.values(auditRoutes),
  ...Object.values(backupRoutes),
  ...Object.values(trustRoutes),
  ...Object.values(playbookRoutes),
  ...Object.values(cleanupRoutes),
  ...Object.values(daemonRoutes),
]
