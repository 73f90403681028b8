import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTP_LIMITS } from '../../domain/limits/http-limits.ts'
import { refuse } from '../refuse.ts'
import type { ServerEnvironment } from '../server-needs.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const JSON_TYPE = /^application\/json\s*(;|$)/i

/** Bodies must be declared as JSON: what a form or a simple cross-site request can send is refused unread. */
export const checkBodyType: MiddlewareHandler<ServerEnvironment> = async (context, next) => {
  if (SAFE_METHODS.has(context.req.method)) return next()
  const { headers } = context.env.incoming
  const contentType = headers['content-type']
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  const isJson = contentType === undefined ? !hasBody : JSON_TYPE.test(contentType)
  return isJson ? next() : refuse(context, { type: 'not-json' })
}

/** Counts the bytes that arrive; the HTTP parser enforces an announced length. */
export const checkBodySize: MiddlewareHandler<ServerEnvironment> = bodyLimit({
  maxSize: HTTP_LIMITS.bodyBytes,
  onError: (context) => refuse(context, { type: 'body-too-large', limit: HTTP_LIMITS.bodyBytes }),
})
