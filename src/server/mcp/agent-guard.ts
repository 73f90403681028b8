import type { Context, MiddlewareHandler } from 'hono'
import type { SessionId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Store } from '../../ports/store/store.ts'
import { refuse } from '../refuse.ts'
import type { ServerEnvironment } from '../server-needs.ts'

export type AgentGuardNeeds = {
  readonly store: Pick<Store, 'read'>
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
      const session = sessionId === undefined ? undefined : await needs.store.read.sessions.find(sessionId)
      if (session !== undefined && hasVoice(session)) {
        sessions.set(context.req.raw, session.id)
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

/** A token ends with its session. Checks run the project's own commands and have nothing to say. */
function hasVoice(session: Session): boolean {
  return session.state.type !== 'terminated' && session.purpose.type !== 'check'
}
