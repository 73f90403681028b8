import type { Context, MiddlewareHandler } from 'hono'
import type { SessionId } from '../../domain/id.ts'
import type { Queries } from '../../engine/queries/queries.ts'
import { refuse } from '../refuse.ts'
import type { ServerEnvironment } from '../server-needs.ts'

export type AgentGuardNeeds = {
  readonly queries: Pick<Queries, 'mayCall'>
  /** The session whose token this is; nothing for any other text. Takes the same time for all of them. */
  readonly sessionOfToken: (token: string) => SessionId | undefined
}

/** Lets agents of live sessions through, and remembers which session each request is of. */
export type AgentGuard = {
  readonly check: MiddlewareHandler<ServerEnvironment>
  /** The session behind a request that was let through. */
  sessionOf(context: Context): SessionId
}

export function createAgentGuard(needs: AgentGuardNeeds): AgentGuard {
  const sessions = new WeakMap<Request, SessionId>()
  return {
    async check(context, next) {
      const { authorization: sent = [] } = context.env.incoming.headersDistinct
      const [, bearer] = /^Bearer (\S+)$/i.exec(sent[0] ?? '') ?? []
      const sessionId = sent.length === 1 && bearer !== undefined ? needs.sessionOfToken(bearer) : undefined
      if (sessionId !== undefined && (await needs.queries.mayCall(sessionId))) {
        sessions.set(context.req.raw, sessionId)
        return next()
      }
      context.header('www-authenticate', 'Bearer')
      return refuse(context, { type: 'unauthorized' })
    },
    sessionOf(context) {
      const sessionId = sessions.get(context.req.raw)
      if (sessionId === undefined) throw new Error('a route for agents was reached past its guard')
      return sessionId
    },
  }
}
