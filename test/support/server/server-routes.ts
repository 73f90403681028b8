import type { MusterServer } from '../../../src/server/create-server.ts'
import { sampleId } from './sample-records.ts'

export type ServedRoute = { readonly method: string; readonly path: string }

/** Every route the app really has; what runs for all routes is a guard and no route. */
export function servedRoutes(server: MusterServer): readonly ServedRoute[] {
  const routes = server.app.routes.filter(({ method }) => method !== 'ALL')
  const unique = new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }]))
  return [...unique.values()]
}

const KINDS = [
  ['/api/orchestrator', 'job'],
  ['/api/tasks', 'task'],
  ['/api/approvals', 'approval'],
] as const

/** A path that a client could ask for. */
export function concretePath(path: string): string {
  const kind = KINDS.find(([start]) => path.startsWith(start))?.[1] ?? 'session'
  return path.replace(':id', sampleId(kind)).replace(':num', '1')
}
