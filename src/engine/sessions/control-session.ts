import type { SessionId } from '../../domain/id.ts'
import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionInput } from '../../domain/session/session-input.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { resumePrompt } from '../prompts/resume-prompt.ts'
import { storeStop } from './end/stop-session.ts'
import { storeSuspension } from './end/suspend-session.ts'
import { storeResume } from './start/resume-session.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'settings' | 'wakeAt' | 'adoptSession'>

export type SessionControlFailure =
  | { readonly type: 'session-not-found'; readonly sessionId: SessionId }
  | {
      readonly type: 'session-not-able'
      readonly sessionId: SessionId
      readonly status: string
      readonly wanted: string
    }
  /** Its program takes no words after its start, or never told a name by which it could be gone on with. */
  | { readonly type: 'session-not-spoken-to'; readonly sessionId: SessionId; readonly provider: string }
  | { readonly type: 'input-invalid'; readonly problem: string }

type Controlled = Result<Session, SessionControlFailure>

/** Stops a session's program; the session is over then. Forced: at once, without asking it first. */
export function terminateSession(
  needs: Needs,
  sessionId: SessionId,
  options: { readonly reason: string; readonly isForced: boolean },
): Promise<Controlled> {
  return change(needs, sessionId, 'stop', (records, session) =>
    storeStop(needs, records, session, { type: 'cancelled', reason: options.reason }, options.isForced),
  )
}

/** Lets a session rest: its program is stopped, its tree and its conversation stay. */
export function suspendSession(needs: Needs, sessionId: SessionId, reason: string): Promise<Controlled> {
  return change(needs, sessionId, 'suspend', async (records, session) => {
    if (session.talk.providerSessionId === undefined) return notSpokenTo(session)
    return await storeSuspension(needs, records, session, { type: 'asked', reason })
  })
}

/** Lets a resting session go on in a new program, with these words or the usual ones. */
export function goOn(needs: Needs, sessionId: SessionId, prompt?: string): Promise<Controlled> {
  return change(needs, sessionId, 'resume', async (records, session) => {
    if (session.talk.providerSessionId === undefined) return notSpokenTo(session)
    return await storeResume(
      records,
      session,
      { prompt: prompt ?? resumePrompt({ type: 'asked' }) },
      'person',
    )
  })
}

/** Says something to a session's program: after the turn it is in, if it is in one. */
export function sayToSession(needs: Needs, sessionId: SessionId, text: string): Promise<Controlled> {
  const bytes = new TextEncoder().encode(text).length
  if (text.trim() === '') return refuse('there is nothing to say')
  if (bytes > SESSION_LIMITS.inputBytes)
    return refuse(`it has ${bytes} bytes; ${SESSION_LIMITS.inputBytes} are the most`)
  return give(needs, sessionId, 'message', { type: 'say', text })
}

/** Breaks off the turn a session is in; it then waits for the next word. */
export function interruptSession(needs: Needs, sessionId: SessionId): Promise<Controlled> {
  return give(needs, sessionId, 'interrupt', { type: 'interrupt' })
}

function refuse(problem: string): Promise<Controlled> {
  return Promise.resolve(failure({ type: 'input-invalid', problem }))
}

function give(needs: Needs, sessionId: SessionId, wanted: string, input: SessionInput): Promise<Controlled> {
  return change(needs, sessionId, wanted, async (records, session) => {
    if (session.state.type !== 'running') return notAble(session, wanted)
    if (session.mode === 'headless' && session.talk.dialogue === undefined) return notSpokenTo(session)
    await records.sessions.addInput(sessionId, input, {
      audit: { actor: 'person', action: `session-${input.type}`, subject: sessionId, detail: {} },
    })
    return success(session)
  })
}

async function change(
  needs: Needs,
  sessionId: SessionId,
  wanted: string,
  work: (
    records: Records,
    session: Session,
  ) => Promise<Result<Session, SessionControlFailure | { readonly type: 'illegal-transition' }>>,
): Promise<Controlled> {
  const changed = await needs.store.transact(async (records): Promise<Controlled> => {
    const session = await records.sessions.find(sessionId)
    if (session === undefined) return failure({ type: 'session-not-found', sessionId })
    const done = await work(records, session)
    if (done.ok) return done
    return done.failure.type === 'illegal-transition' ? notAble(session, wanted) : failure(done.failure)
  })
  if (changed.ok) needs.adoptSession(sessionId)
  return changed
}

function notAble(session: Session, wanted: string): Controlled {
  return failure({ type: 'session-not-able', sessionId: session.id, status: session.state.type, wanted })
}

function notSpokenTo(session: Session): Controlled {
  return failure({ type: 'session-not-spoken-to', sessionId: session.id, provider: session.provider })
}
