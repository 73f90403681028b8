import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import { failureBodySchema, successSchema } from '../envelope.ts'
import { idSchema } from '../text.ts'

/** Who may call a route: anyone on this machine, a person with the daemon's token, or an agent with its session's. */
export type RouteAccess = 'open' | 'person' | 'agent'

type AccessFields = { readonly 'x-access': RouteAccess; readonly security: Record<string, string[]>[] }

/** Spread one of these into every route. */
export const openAccess = { 'x-access': 'open', security: [] } as const satisfies AccessFields
export const personAccess = { 'x-access': 'person', security: [{ bearer: [] }] } satisfies AccessFields
export const agentAccess = { 'x-access': 'agent', security: [{ session: [] }] } satisfies AccessFields

/**
 * Declares a route. The server, the client and the OpenAPI document all derive from the declaration. It is plain data,
 * so clients load zod but not the server's framework.
 */
export function declareRoute<Path extends string, Route extends Omit<RouteConfig, 'path'> & { path: Path }>(
  route: Route,
): Route {
  return route
}

export const idParams = z.object({ id: idSchema })

export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true as const, content: { 'application/json': { schema } } }
}

export function optionalJsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: false as const, content: { 'application/json': { schema } } }
}

/** Where to start in a stream: the header a reconnecting client sends, or a parameter. */
export const streamStart = {
  headers: z.object({ 'last-event-id': z.string().max(64).optional() }),
  query: z.object({ after: z.string().max(64).optional() }),
}

export const failureAnswer = {
  description: 'The failure; all failures have the same shape',
  content: { 'application/json': { schema: failureBodySchema } },
}

/** The responses of a route that returns data. */
export function answers<Data extends z.ZodType>(description: string, data: Data) {
  return {
    200: { description, content: { 'application/json': { schema: successSchema(data) } } },
    default: failureAnswer,
  }
}

/** The responses of a route that creates something. */
export function creationAnswers<Data extends z.ZodType>(description: string, data: Data) {
  return {
    201: { description, content: { 'application/json': { schema: successSchema(data) } } },
    default: failureAnswer,
  }
}

/** The responses of a route that acts at once (200) or starts longer work (202). */
export function startedAnswers<Data extends z.ZodType>(description: string, data: Data) {
  const answer = { description, content: { 'application/json': { schema: successSchema(data) } } }
  return { 200: answer, 202: answer, default: failureAnswer }
}

/** The responses of a route that streams server-sent events with this data. */
export function streamAnswers<Data extends z.ZodType>(description: string, data: Data) {
  return {
    200: { description, content: { 'text/event-stream': { schema: data } } },
    default: failureAnswer,
  }
}
