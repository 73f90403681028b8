import * as daemonRoutes from './daemon-routes.ts'
import * as jobRoutes from './job-routes.ts'
import * as recordRoutes from './record-routes.ts'
import type { RouteAccess } from './route-access.ts'

export type DeclaredRoute = {
  readonly method: string
  readonly path: string
  readonly 'x-access': RouteAccess
}

/** Every route there is, each with who may call it. */
export const allRoutes: readonly DeclaredRoute[] = [
  ...Object.values(jobRoutes),
  ...Object.values(recordRoutes),
  ...Object.values(daemonRoutes),
]
