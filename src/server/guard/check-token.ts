import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { allRoutes } from '../../contract/routes/all-routes.ts'
import { refuse } from '../refuse.ts'
import type { ServerEnvironment } from '../server-needs.ts'

/** Whoever is not on this list needs the token: a route that forgot to say so is closed, not open. */
const openRoutes = new Set(
  allRoutes
    .filter((route) => route['x-access'] === 'open')
    .map((route) => `${route.method.toUpperCase()} ${route.path}`),
)

/** Lets through who holds the token, and anybody to an open route. */
export function checkToken(token: string): MiddlewareHandler<ServerEnvironment> {
  const expected = digestOf(token)
  return async (context, next) => {
    const method = context.req.method === 'HEAD' ? 'GET' : context.req.method
    if (openRoutes.has(`${method} ${context.req.path}`)) return next()
    const { authorization: sent = [] } = context.env.incoming.headersDistinct
    const [, bearer] = /^Bearer (\S+)$/i.exec(sent[0] ?? '') ?? []
    const isHolder = sent.length === 1 && bearer !== undefined && timingSafeEqual(digestOf(bearer), expected)
    if (isHolder) return next()
    context.header('www-authenticate', 'Bearer')
    return refuse(context, { type: 'unauthorized' })
  }
}

/** Digests have one length and tell nothing of the token, so comparing them takes the same time always. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
