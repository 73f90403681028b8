import type { Context, MiddlewareHandler } from 'hono'
import type { SessionId } from '../../domain/id.ts'
import type { Queries } from '../../engine/queries/queries.ts'
import { bearerOf, refuseToken } from '../guard/check-token.ts'
import type { ServerEnvironment } from '../server-needs.ts'

export type AgentGuardNeeds = {
  readonly queries: Pick<Queries, 'mayCall'>
  /** The session that owns this token; undefined for any other text. Takes the same time for every text. */
  readonly sessionOfToken: (token: string) => SessionId | undefined
}

/** Admits agents of live sessions, and remembers the session of each request. */
export type AgentGuard = {
  readonly check: MiddlewareHandler<ServerEnvironment>
  /** The session of an admitted request. */
  sessionOf(context: Context): SessionId
}

export function createAgentGuard(needs: AgentGuardNeeds): AgentGuard {
  const sessions = new WeakMap<Request, SessionId>()
  return {
    async check(context, next) {
      const bearer = bearerOf(context.env.incoming)
      const sessionId = bearer === undefined ? undefined : needs.sessionOfToken(bearer)
      if (sessionId === undefined || !(await needs.queries.mayCall(sessionId))) return refuseToken(context)
      sessions.set(context.req.raw, sessionId)
      return next()
    },
    sessionOf(context) {
      const sessionId = sessions.get(context.req.raw)
      if (sessionId === undefined) throw new Error('an agent route was reached without its guard')
      return sessionId
    },
  }
}

export const MCP_PATH = '/mcp'
const AGENT_PATHS = '/api/agent/'

/**
 * Each path needs one kind of token: an agent's opens only the paths for agents, a person's all others. One of the two
 * is always required, so no path can fall between them.
 */
export function checkAccess(
  agents: MiddlewareHandler<ServerEnvironment>,
  people: MiddlewareHandler<ServerEnvironment>,
): MiddlewareHandler<ServerEnvironment> {
  return (context, next) => {
    const { path } = context.req
    return path === MCP_PATH || path.startsWith(AGENT_PATHS) ? agents(context, next) : people(context, next)
  }
}
