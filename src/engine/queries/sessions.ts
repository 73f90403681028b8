import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import type { SessionId, TaskId } from '../../domain/id.ts'
import { type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import { attemptIdOf, rulesOf, type SessionPurpose } from '../../domain/session/session-purpose.ts'
import type { SessionEnd, SessionState } from '../../domain/session/session-state.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { HostId } from '../../ports/session-host.ts'
import { hostOf } from '../sessions/host-of.ts'
import {
  findNamedJob,
  findSession,
  type JobNotFound,
  type Reads,
  type SessionNotFound,
} from './find-record.ts'
import { type Page, type PageInput, pageOf, recentCount } from './page.ts'

export type SessionsInput = PageInput & {
  readonly job?: string | undefined
  readonly agent?: string | undefined
  readonly role?: string | undefined
  /** `live` is every status but terminated. */
  readonly status?: SessionState['type'] | 'live' | undefined
  readonly purpose?: SessionPurpose['type'] | undefined
  readonly isResumable?: boolean | undefined
  readonly isAskable?: boolean | undefined
}

/** A session with the task that its attempt works on. */
export type SessionView = { readonly session: Session; readonly taskId?: TaskId }

const LIVE = ['waiting', 'starting', 'running', 'suspended', 'terminating'] as const

/** Newest first. */
export async function listSessions(
  needs: Reads,
  input: SessionsInput,
): Promise<Result<Page<SessionView>, JobNotFound>> {
  const { agent: agentName, role, status, purpose, isResumable, isAskable } = input
  const job = await findNamedJob(needs, input.job)
  if (!job.ok) return job
  const filter = withoutUndefined({
    jobId: job.value?.id,
    agentName,
    role,
    purpose,
    status: status === 'live' ? LIVE : status && [status],
    isResumable,
    isAskable,
  })
  const page = pageOf(await needs.store.read.sessions.list(filter, recentCount(input)), input)
  return success({ ...page, items: await viewSessions(needs, page.items) })
}

export async function showSession(needs: Reads, id: string): Promise<Result<SessionView, SessionNotFound>> {
  const session = await findSession(needs, id)
  return session.ok ? success(await viewSession(needs, session.value)) : session
}

/** The same for a session that was just loaded or changed. */
export async function viewSession(needs: Reads, session: Session): Promise<SessionView> {
  const [view = { session }] = await viewSessions(needs, [session])
  return view
}

/** Loads the attempts of all these sessions at once. */
export async function viewSessions(
  needs: Reads,
  sessions: readonly Session[],
): Promise<readonly SessionView[]> {
  const attemptIds = sessions.flatMap((session) => attemptIdOf(session) ?? [])
  const attempts = await needs.store.read.attempts.findMany(attemptIds)
  const taskIds = new Map<string, TaskId | undefined>(
    attempts.map((attempt) => [attempt.id, taskIdOf(attempt)]),
  )
  return sessions.map((session) => {
    const attemptId = attemptIdOf(session)
    const taskId = attemptId === undefined ? undefined : taskIds.get(attemptId)
    return withoutUndefined({ session, taskId })
  })
}

/** The terminal of a session's current process and, once the session has ended, how it ended. */
export type SessionTerminal = { readonly hostId: HostId; readonly end?: SessionEnd }

/** Undefined if the session has no terminal. */
export async function findTerminal(needs: Reads, sessionId: SessionId): Promise<SessionTerminal | undefined> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session?.mode !== 'interactive') return undefined
  const { state } = session
  return { hostId: hostOf(session), ...(state.type === 'terminated' ? { end: state.end } : {}) }
}

/** Whether a session's agent may call Muster: its token ends with the session, and checks have no agent. */
export async function mayCall(needs: Reads, sessionId: SessionId): Promise<boolean> {
  const session = await needs.store.read.sessions.find(sessionId)
  return session !== undefined && session.state.type !== 'terminated' && rulesOf(session).takesMessages
}
