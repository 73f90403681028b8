import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'

/** Who may call a route: anyone on this machine, a person with the daemon's token, or an agent with its session's. */
export type RouteAccess = 'open' | 'person' | 'agent'

type AccessFields = { readonly 'x-access': RouteAccess; readonly security: Record<string, string[]>[] }

/** Spread one of these into every route. */
export const openAccess = { 'x-access': 'open', security: [] } as const satisfies AccessFields
export const personAccess = { 'x-access': 'person', security: [{ bearer: [] }] } satisfies AccessFields
export const agentAccess = { 'x-access': 'agent', security: [{ session: [] }] } satisfies AccessFields

/**
 * Declares a route. Server, client and OpenAPI document all derive from the declaration. It is plain data, so that
 * clients load zod and nothing of the server's framework.
 */
export function declareRoute<Path extends string, Route extends Omit<RouteConfig, 'path'> & { path: Path }>(
  route: Route,
): Route {
  return route
}

export const idParams = z.object({ id: z.string().max(64) })

export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true as const, content: { 'application/json': { schema } } }
}

export function optionalJsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: false as const, content: { 'application/json': { schema } } }
}
