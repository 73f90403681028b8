import { sessionPrompted } from '../../domain/event/session-events.ts'
import type { SessionId } from '../../domain/id.ts'
import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionInput } from '../../domain/session/session-input.ts'
import { attemptIdOf } from '../../domain/session/session-purpose.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { resumePrompt } from '../prompts/resume-prompt.ts'
import { findCycleAndTask } from './cycle-and-task.ts'
import { storeStop } from './end/stop-session.ts'
import { storeSuspension } from './end/suspend-session.ts'
import { storeResume } from './start/resume-session.ts'
import { isUnready, storeRetry } from './start/retry-session.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'settings' | 'wakeAt' | 'adoptSession'>

export type SessionControlFailure =
  | { readonly type: 'session-not-found'; readonly sessionId: SessionId }
  | {
      readonly type: 'session-not-able'
      readonly sessionId: SessionId
      readonly status: string
      readonly wanted: string
    }
  /** Its program accepts no input after its start, or never reported a conversation id to resume. */
  | { readonly type: 'session-not-spoken-to'; readonly sessionId: SessionId; readonly provider: string }
  | { readonly type: 'input-invalid'; readonly problem: string }

type Controlled = Result<Session, SessionControlFailure>

/** Stops a session's program and ends the session. With `isForced`, kills the program without asking it first. */
export function terminateSession(
  needs: Needs,
  sessionId: SessionId,
  options: { readonly reason?: string | undefined; readonly isForced: boolean },
): Promise<Controlled> {
  return change(needs, sessionId, 'stop', (records, session) =>
    storeStop(
      needs,
      records,
      session,
      withoutUndefined({ type: 'cancelled', reason: options.reason } as const),
      options.isForced,
    ),
  )
}

/** Suspends a session: stops its program and keeps its tree and conversation. */
export function suspendSession(needs: Needs, sessionId: SessionId, reason?: string): Promise<Controlled> {
  return change(needs, sessionId, 'suspend', async (records, session) => {
    if (session.state.type === 'terminated') return notAble(session, 'suspend')
    if (session.conversation.providerSessionId === undefined) return notSpokenTo(session)
    return await storeSuspension(
      needs,
      records,
      session,
      withoutUndefined({ type: 'asked', reason } as const),
    )
  })
}

/** Resumes a suspended session in a new process, with this prompt or the standard one. */
export function continueSession(needs: Needs, sessionId: SessionId, prompt?: string): Promise<Controlled> {
  return change(needs, sessionId, 'resume', async (records, session) => {
    if (session.state.type === 'terminated') return notAble(session, 'resume')
    if (prompt === undefined && isUnready(session)) return storeRetry(needs, records, session)
    if (session.conversation.providerSessionId === undefined) return notSpokenTo(session)
    return await storeResume(
      records,
      session,
      { prompt: prompt ?? resumePrompt({ type: 'asked' }) },
      'person',
      prompt === undefined ? [] : [sessionPrompted(session, prompt, await placeOf(records, session))],
    )
  })
}

/** Sends text to a session's program. In the middle of a turn, the text waits for the turn to end. */
export function sayToSession(needs: Needs, sessionId: SessionId, text: string): Promise<Controlled> {
  const bytes = new TextEncoder().encode(text).length
  if (text.trim() === '') return refuse('the message is empty')
  if (bytes > SESSION_LIMITS.inputBytes)
    return refuse(`the message has ${bytes} bytes; the limit is ${SESSION_LIMITS.inputBytes}`)
  return give(needs, sessionId, 'message', { type: 'say', text })
}

/** Interrupts a session's current turn. The session then waits for the next message. */
export function interruptSession(needs: Needs, sessionId: SessionId): Promise<Controlled> {
  return give(needs, sessionId, 'interrupt', { type: 'interrupt' })
}

function refuse(problem: string): Promise<Controlled> {
  return Promise.resolve(failure({ type: 'input-invalid', problem }))
}

function give(needs: Needs, sessionId: SessionId, wanted: string, input: SessionInput): Promise<Controlled> {
  return change(needs, sessionId, wanted, async (records, session) => {
    if (session.state.type !== 'running') return notAble(session, wanted)
    if (session.mode === 'headless' && session.conversation.dialogue === undefined)
      return notSpokenTo(session)
    await records.sessions.addInput(sessionId, input, {
      audit: { actor: 'person', action: `session-${input.type}`, subject: sessionId, detail: {} },
      events:
        input.type === 'say' ? [sessionPrompted(session, input.text, await placeOf(records, session))] : [],
    })
    return success(session)
  })
}

/** What a person says to an agent belongs to the log of its task. */
async function placeOf(records: Records, session: Session) {
  const attemptId = attemptIdOf(session)
  const attempt = attemptId === undefined ? undefined : await records.attempts.find(attemptId)
  return attempt === undefined ? undefined : (await findCycleAndTask(records, attempt))?.place
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
