import type { MusterServer } from '../../../src/server/create-server.ts'
import { sampleId } from './sample-records.ts'

export type ServedRoute = { readonly method: string; readonly path: string }

/** Every route of the app, without the guards that run for all routes. */
export function servedRoutes(server: MusterServer): readonly ServedRoute[] {
  const routes = server.app.routes.filter(({ method }) => method !== 'ALL')
  const unique = new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }]))
  return [...unique.values()]
}

const KINDS = [
  ['/api/orchestrator', 'job'],
  ['/api/tasks', 'task'],
  ['/api/pinned', 'attempt'],
  ['/api/approvals', 'approval'],
  ['/api/approval-rules', 'approval-rule'],
] as const

/** A path that a client could request. */
export function concretePath(path: string): string {
  const kind = KINDS.find(([start]) => path.startsWith(start))?.[1] ?? 'session'
  return path.replace(':id', sampleId(kind)).replace(':num', '1')
}
