import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import type { MessageId, SessionId } from '../../../domain/id.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Session } from '../../../domain/session/session.ts'
import { rulesOf } from '../../../domain/session/session-purpose.ts'
import type { SessionFilter } from '../../../ports/store/session-records.ts'
import { insertSession } from '../../admission/request-place.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { planOf } from '../purposes/plan-of.ts'
import { newSession } from './new-session.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'ids' | 'settings' | 'roles'>

export type QueryRequest = {
  readonly question: string
  /** How long the answer is waited for: 10 to 300 seconds. */
  readonly timeoutSeconds?: number
  /** The letter that the answer goes to. */
  readonly replyTo?: MessageId
  /** Whom to ask: one session, or the newest of a role or an agent that can be gone on with. */
  readonly of:
    | { readonly type: 'session'; readonly sessionId: SessionId }
    | { readonly type: 'newest'; readonly filter: Pick<SessionFilter, 'role' | 'agentName' | 'jobId'> }
}

export type QueryFailure =
  | { readonly type: 'no-predecessor' }
  | { readonly type: 'session-not-found'; readonly sessionId: SessionId }
  | { readonly type: 'session-not-spoken-to'; readonly sessionId: SessionId; readonly provider: string }
  | {
      readonly type: 'session-not-able'
      readonly sessionId: SessionId
      readonly status: string
      readonly wanted: string
    }
  | { readonly type: 'input-invalid'; readonly problem: string }

/** The newest session that rests or is over and whose conversation can be gone on with. */
export async function findPredecessor(
  needs: Pick<Needs, 'store'>,
  filter: Pick<SessionFilter, 'role' | 'agentName' | 'jobId'>,
): Promise<Session | undefined> {
  const status = ['suspended', 'terminated'] as const
  const found = await needs.store.read.sessions.list({ ...filter, status, isResumable: true }, 20)
  return found.find((session) => rulesOf(session).canBeAsked)
}

/**
 * Asks an earlier session what it knows: a program of its own goes on with that conversation, in its tree,
 * answers and ends; the session itself rests on as before. The question is a session and is waited for,
 * followed and stopped like any other, with a deadline.
 */
export async function askSession(
  needs: Needs,
  request: QueryRequest,
): Promise<Result<Session, QueryFailure>> {
  const bytes = new TextEncoder().encode(request.question).length
  if (request.question.trim() === '')
    return failure({ type: 'input-invalid', problem: 'there is no question' })
  if (bytes > SESSION_LIMITS.questionBytes) {
    return failure({
      type: 'input-invalid',
      problem: `the question has ${bytes} bytes; ${SESSION_LIMITS.questionBytes} are the most`,
    })
  }
  const asked = await findAsked(needs, request.of)
  if (!asked.ok) return asked
  const agent = await agentOf(needs, asked.value)
  if (agent === undefined) return failure({ type: 'no-predecessor' })
  const { jobId, role, id: of } = asked.value
  const replyTo = request.replyTo === undefined ? {} : { replyTo: request.replyTo }
  const timeMs = Math.min(Math.max(request.timeoutSeconds ?? 60, 10), 300) * 1_000
  const session = newSession(needs, {
    id: needs.ids.next('session'),
    ...(jobId === undefined ? {} : { jobId }),
    purpose: { type: 'query', of, question: request.question, agent, timeMs, ...replyTo },
    agent,
    role,
  })
  return success(
    await needs.store.transact((records) =>
      insertSession(needs, records, session, {
        actor: 'person',
        action: 'session-ask',
        subject: session.id,
        detail: { of },
      }),
    ),
  )
}

async function findAsked(needs: Needs, of: QueryRequest['of']): Promise<Result<Session, QueryFailure>> {
  if (of.type === 'newest') {
    const found = await findPredecessor(needs, of.filter)
    return found === undefined ? failure({ type: 'no-predecessor' }) : success(found)
  }
  const { sessionId } = of
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined) return failure({ type: 'session-not-found', sessionId })
  if (session.talk.providerSessionId === undefined) {
    return failure({ type: 'session-not-spoken-to', sessionId, provider: session.provider })
  }
  const isAtRest = session.state.type === 'terminated' || session.state.type === 'suspended'
  if (isAtRest) return success(session)
  return failure({ type: 'session-not-able', sessionId, status: session.state.type, wanted: 'ask' })
}

async function agentOf(needs: Needs, session: Session): Promise<AgentSpec | undefined> {
  const program = (await planOf(session).findWorkplace(needs))?.program
  return program?.type === 'agent' ? program.agent : undefined
}
