import type { MusterServer } from '../create-server.ts'
import { sampleId } from './sample-records.ts'

export type ServedRoute = { readonly method: string; readonly path: string }

/** Every route the app really has; what runs for all routes is a guard and no route. */
export function servedRoutes(server: MusterServer): readonly ServedRoute[] {
  const routes = server.app.routes.filter(({ method }) => method !== 'ALL')
  const unique = new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }]))
  return [...unique.values()]
}

/** A path that a client could ask for. */
export function concretePath(path: string): string {
  const noun = path.startsWith('/api/tasks') ? 'task' : 'session'
  const kind = path.startsWith('/api/orchestrator') ? 'job' : noun
  return path.replace(':id', sampleId(kind)).replace(':num', '1')
}
