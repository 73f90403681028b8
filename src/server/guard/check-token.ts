import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import { allRoutes } from '../../contract/routes/all-routes.ts'
import { refuse } from '../refuse.ts'
import type { ServerEnvironment } from '../server-needs.ts'

/** Every route not in this set needs the token, so a route that declares nothing is closed. */
const openRoutes = new Set(
  allRoutes
    .filter((route) => route['x-access'] === 'open')
    .map((route) => `${route.method.toUpperCase()} ${route.path}`),
)

/** Admits requests with the token, and all requests to an open route. */
export function checkToken(token: string): MiddlewareHandler<ServerEnvironment> {
  return async (context, next) => {
    const method = context.req.method === 'HEAD' ? 'GET' : context.req.method
    if (openRoutes.has(`${method} ${context.req.path}`)) return next()
    return isToken(bearerOf(context.env.incoming), token) ? next() : refuseToken(context)
  }
}

/** The token in the Authorization header; undefined if there is none, or more than one header. */
export function bearerOf(incoming: IncomingMessage): string | undefined {
  const { authorization: sent = [] } = incoming.headersDistinct
  return sent.length === 1 ? /^Bearer (\S+)$/i.exec(sent[0] ?? '')?.[1] : undefined
}

export function isToken(text: string | undefined, token: string): boolean {
  return text !== undefined && timingSafeEqual(digestOf(text), digestOf(token))
}

/** Digests have equal lengths and reveal nothing about the token, so comparing them takes constant time. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export function refuseToken(context: Context) {
  context.header('www-authenticate', 'Bearer')
  return refuse(context, { type: 'unauthorized' })
}
