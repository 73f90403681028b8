import type { AgentSpec } from '../../../domain/agent/agent-spec.ts'
import { sessionPrompted } from '../../../domain/event/session-events.ts'
import type { MessageId, SessionId } from '../../../domain/id.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import type { Session } from '../../../domain/session/session.ts'
import { canBeAsked } from '../../../domain/session/session-abilities.ts'
import { rulesOf } from '../../../domain/session/session-purpose.ts'
import type { SessionFilter } from '../../../ports/store/session-records.ts'
import { insertSession } from '../../admission/admit-session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { planOf } from '../purposes/plan-of.ts'
import { newSession } from './new-session.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'ids' | 'settings' | 'assignments'>

export type QueryRequest = {
  readonly question: string
  /** How long to wait for the answer: 10 to 300 seconds. */
  readonly timeoutSeconds?: number
  /** The message to answer. */
  readonly replyTo?: MessageId
  /** Which session to ask: a given one, or the newest one of a role or agent. */
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

/** The newest suspended or ended session whose conversation can be resumed. */
export async function findPredecessor(
  needs: Pick<Needs, 'store'>,
  filter: Pick<SessionFilter, 'role' | 'agentName' | 'jobId'>,
): Promise<Session | undefined> {
  const found = await needs.store.read.sessions.list({ ...filter, isAskable: true }, 20)
  return found.find((session) => rulesOf(session).canBeAsked)
}

/**
 * Asks an earlier session a question: a new program continues its conversation in its tree, answers and exits, and
 * the earlier session stays as it was. The question is a session of its own, so it can be waited for, followed and
 * stopped like any other, and it has a deadline.
 */
export async function askSession(
  needs: Needs,
  request: QueryRequest,
): Promise<Result<Session, QueryFailure>> {
  const bytes = new TextEncoder().encode(request.question).length
  if (request.question.trim() === '')
    return failure({ type: 'input-invalid', problem: 'the question is empty' })
  if (bytes > SESSION_LIMITS.questionBytes) {
    return failure({
      type: 'input-invalid',
      problem: `the question has ${bytes} bytes; the limit is ${SESSION_LIMITS.questionBytes}`,
    })
  }
  const asked = await findAsked(needs, request.of)
  if (!asked.ok) return asked
  const agent = await agentOf(needs, asked.value)
  if (agent === undefined) return failure({ type: 'no-predecessor' })
  const { jobId, role, id: of } = asked.value
  const replyTo = request.replyTo === undefined ? {} : { replyTo: request.replyTo }
  const { questionSeconds, leastQuestionSeconds, mostQuestionSeconds } = SESSION_LIMITS
  const seconds = Math.max(request.timeoutSeconds ?? questionSeconds, leastQuestionSeconds)
  const timeMs = Math.min(seconds, mostQuestionSeconds) * 1_000
  const session = newSession(needs, {
    id: needs.ids.next('session'),
    ...(jobId === undefined ? {} : { jobId }),
    purpose: { type: 'query', of, question: request.question, agent, timeMs, ...replyTo },
    agent,
    role,
  })
  return success(
    await needs.store.transact((records) =>
      insertSession(
        needs,
        records,
        session,
        { actor: 'person', action: 'session-ask', subject: session.id, detail: { of } },
        // Another agent's question is a message, which has events of its own.
        request.replyTo === undefined ? [sessionPrompted(session, request.question)] : [],
      ),
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
  if (session.conversation.providerSessionId === undefined) {
    return failure({ type: 'session-not-spoken-to', sessionId, provider: session.provider })
  }
  if (canBeAsked(session)) return success(session)
  return failure({ type: 'session-not-able', sessionId, status: session.state.type, wanted: 'ask' })
}

async function agentOf(needs: Needs, session: Session): Promise<AgentSpec | undefined> {
  const program = (await planOf(session).findWorkplace(needs))?.program
  return program?.type === 'agent' ? program.agent : undefined
}
