import type { Refusal } from '../admission/refusal.ts'
import type { Usage } from '../session/conversation-state.ts'
import type { Ending } from '../session/ending.ts'
import type { Containment } from '../session/sandbox-policy.ts'
import type { Session, SessionMode } from '../session/session.ts'
import type { PurposeOf, Undelivered } from '../session/session-purpose.ts'
import type { SessionEnd, Suspension } from '../session/session-state.ts'
import { sessionPlace } from './event-place.ts'
import { builderOf } from './new-event.ts'
import { type StartRefusal, startRefusal } from './start-refusal.ts'

type ProgramStart = {
  readonly role: string
  readonly agent: string
  readonly provider: string
  readonly mode: SessionMode
  readonly processNumber: number
  readonly pid: number
  readonly containment: Containment
}

export type SessionEvents = {
  readonly session_waiting: StartRefusal & { readonly role: string; readonly agent: string }
  /** Without a process if the session ended before its program could be started. */
  readonly session_started: Omit<ProgramStart, 'pid' | 'containment'> &
    Partial<Pick<ProgramStart, 'pid' | 'containment'>>
  readonly session_resumed: ProgramStart
  /** What the person said to the session's agent: its first prompt, or a later message. */
  readonly session_prompted: { readonly role: string; readonly agent: string; readonly text: string }
  readonly session_suspended: {
    readonly role: string
    readonly agent: string
    readonly why: Suspension['type']
    readonly reason?: string
    /** What a person can do, if the agent's program can't work. */
    readonly remedy?: string | undefined
    readonly until?: string | undefined
  }
  readonly session_ended: {
    readonly role: string
    readonly end: SessionEnd
    readonly ending: Ending
    readonly usage: Usage
    /** The output streams that reached their cap. */
    readonly truncated?: readonly string[] | undefined
  }
  /** What a personal session left is on its branch in the person's repository. */
  readonly session_delivered: {
    readonly role: string
    readonly agent: string
    readonly branch: string
    readonly commit: string
  }
  /** What a personal session left is pinned, but not in the person's repository. */
  readonly session_undelivered: {
    readonly role: string
    readonly agent: string
    readonly branch: string
    readonly commit: string
    readonly why: Undelivered['type']
    readonly reason: string
  }
}

const event = builderOf<SessionEvents>()

/** A limit keeps the session's program from starting, or the limit changed. */
export function sessionWaiting(session: Session, refusal: Refusal) {
  const { role, agentName: agent } = session
  return event('session_waiting', sessionPlace(session), { role, agent, ...startRefusal(refusal) })
}

/** The first program of a session starts it; each later one resumes it. */
export function programStarted(session: Session, program: Pick<ProgramStart, 'pid' | 'containment'>) {
  const { role, agentName: agent, provider, mode, processNumber } = session
  const type = processNumber > 1 ? 'session_resumed' : 'session_started'
  const { pid, containment } = program
  return event(type, sessionPlace(session), { role, agent, provider, mode, processNumber, pid, containment })
}

/** The start of a session that ends without ever having had a program, so that every end has a start before it. */
export function sessionOpened(session: Session) {
  const { role, agentName: agent, provider, mode, processNumber } = session
  return event('session_started', sessionPlace(session), { role, agent, provider, mode, processNumber })
}

/** `within`: see `sessionPlace`. */
export function sessionPrompted(session: Session, text: string, within?: Parameters<typeof sessionPlace>[1]) {
  const { role, agentName: agent } = session
  return event('session_prompted', sessionPlace(session, within), { role, agent, text })
}

export function sessionSuspended(session: Session, suspension: Suspension) {
  const { role, agentName: agent } = session
  if (suspension.type === 'unready') {
    const { type: why, reason, remedy, until } = suspension
    return event('session_suspended', sessionPlace(session), { role, agent, why, reason, remedy, until })
  }
  const { type: why, ...rest } = suspension
  return event('session_suspended', sessionPlace(session), { role, agent, why, ...rest })
}

export function sessionEnded(
  session: Session,
  how: Pick<SessionEvents['session_ended'], 'end' | 'ending' | 'truncated'>,
) {
  const { role, conversation } = session
  return event('session_ended', sessionPlace(session), { role, usage: conversation.usage, ...how })
}

/** Whether what a personal session left reached its branch. */
export function workDelivered(session: Session, purpose: PurposeOf<'personal'> & { readonly tip: string }) {
  const { role, agentName: agent } = session
  const { branch, tip: commit, undelivered } = purpose
  const place = sessionPlace(session)
  if (undelivered === undefined) return event('session_delivered', place, { role, agent, branch, commit })
  const { type: why, reason } = undelivered
  return event('session_undelivered', place, { role, agent, branch, commit, why, reason })
}
