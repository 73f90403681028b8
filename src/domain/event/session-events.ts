import type { Refusal } from '../admission/refusal.ts'
import type { Ending } from '../session/ending.ts'
import type { Containment } from '../session/sandbox-policy.ts'
import type { Session, SessionMode } from '../session/session.ts'
import type { SessionEnd, Suspension } from '../session/session-state.ts'
import type { Usage } from '../session/talk.ts'
import { sessionPlace } from './event-place.ts'
import { builderOf } from './new-event.ts'
import { type StartRefusal, startRefusal } from './start-refusal.ts'

type ProgramStart = {
  readonly role: string
  readonly agent: string
  readonly provider: string
  readonly mode: SessionMode
  readonly life: number
  readonly pid: number
  readonly containment: Containment
}

export type SessionEvents = {
  readonly session_waiting: StartRefusal & { readonly role: string; readonly agent: string }
  readonly session_started: ProgramStart
  readonly session_resumed: ProgramStart
  readonly session_suspended: {
    readonly role: string
    readonly agent: string
    readonly why: Suspension['type']
    readonly reason: string
    readonly until?: string | undefined
  }
  readonly session_ended: {
    readonly role: string
    readonly end: SessionEnd
    readonly ending: Ending
    readonly usage: Usage
    /** The outputs that reached their cap. */
    readonly truncated?: readonly string[] | undefined
  }
}

const event = builderOf<SessionEvents>()

/** A limit keeps its program from starting, or another one does now. */
export function sessionWaiting(session: Session, refusal: Refusal) {
  const { role, agentName: agent } = session
  return event('session_waiting', sessionPlace(session), { role, agent, ...startRefusal(refusal) })
}

/** The first program of a session starts it, each later one resumes it. */
export function programStarted(session: Session, program: Pick<ProgramStart, 'pid' | 'containment'>) {
  const { role, agentName: agent, provider, mode, life } = session
  const type = life > 1 ? 'session_resumed' : 'session_started'
  const { pid, containment } = program
  return event(type, sessionPlace(session), { role, agent, provider, mode, life, pid, containment })
}

export function sessionSuspended(session: Session, suspension: Suspension) {
  const { role, agentName: agent } = session
  const { type: why, ...rest } = suspension
  return event('session_suspended', sessionPlace(session), { role, agent, why, ...rest })
}

export function sessionEnded(
  session: Session,
  how: Pick<SessionEvents['session_ended'], 'end' | 'ending' | 'truncated'>,
) {
  const { role, talk } = session
  return event('session_ended', sessionPlace(session), { role, usage: talk.usage, ...how })
}
