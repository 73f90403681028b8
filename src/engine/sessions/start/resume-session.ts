import type { NewEvent } from '../../../domain/event/event.ts'
import type { SessionId } from '../../../domain/id.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import { type ResumeRequest, type Suspension, wakeTimeOf } from '../../../domain/session/session-state.ts'
import type { IllegalTransition } from '../../../domain/transition.ts'
import { withoutUndefined } from '../../../domain/without-undefined.ts'
import type { Records } from '../../../ports/store/store.ts'
import { admitResumed } from '../../admission/admit-session.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { resumePrompt } from '../../prompts/resume-prompt.ts'
import { storeEnd } from '../end/end-session.ts'
import { programOf } from '../program-of.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { ProgramStart } from './plan-spawn.ts'
import { isStartable, type StartNeeds, startProgram } from './start-session.ts'

type Needs = StartNeeds & Pick<EngineNeeds, 'wakeAt'>

/** Records that a suspended session is to be resumed. The resume itself is queued work. */
export async function storeResume(
  records: Records,
  session: Session,
  request: ResumeRequest,
  actor: 'person' | 'engine',
  said: readonly NewEvent[] = [],
): Promise<Result<Session, IllegalTransition>> {
  const state = nextSessionState(session.state, { type: 'resume-request', ...request })
  if (!state.ok) return failure(state.failure)
  const saved = await records.sessions.save(
    { ...session, state: state.value },
    {
      audit: {
        actor,
        action: 'session-resume-request',
        subject: session.id,
        detail: { processNumber: session.processNumber },
      },
      events: said,
      follow: [{ type: 'session-resume', sessionId: session.id }],
    },
  )
  return success(saved)
}

/**
 * Starts the next process of a suspended session, which continues the conversation in the same tree. If the previous
 * process hasn't exited yet, whoever records its end sends this again.
 */
export async function resumeSession(needs: Needs, sessionId: SessionId): Promise<void> {
  const seen = await needs.store.read.sessions.find(sessionId)
  if (seen?.state.type === 'suspended') {
    if (seen.state.resume === undefined) return wakeByItself(needs, seen)
    // Admission sends this again when it admits the session.
    return seen.state.hasExited ? admitResumed(needs, sessionId) : undefined
  }
  if (seen?.state.type === 'terminated') {
    // Stopped while its next process was starting: nothing else knows about that process.
    return programOf(needs, { ...seen, processNumber: seen.processNumber + 1 }).stop(
      needs.settings.stopGraceMs,
    )
  }
  if (seen?.state.type !== 'starting' || seen.state.resume === undefined) return
  const { resume } = seen.state
  const session = seen
  const next: Session = { ...session, processNumber: session.processNumber + 1 }
  const workplace = await planOf(next).findWorkplace(needs)
  const { providerSessionId } = session.conversation
  if (workplace === undefined || isLost(session, resume)) {
    return giveUp(needs, session, 'what it worked on no longer exists')
  }
  const request: ProgramStart = withoutUndefined({
    session: next,
    workplace,
    prompt: resume.prompt,
    resume: providerSessionId,
    mayBeginAnew: resume.isWhole === true,
  })
  const snapshot = await programOf(needs, next).inspect()
  if (!isStartable(snapshot)) return skipProcess(needs, next)
  const started = await startProgram(needs, request, snapshot)
  if (!started.ok) await giveUp(needs, session, started.failure.reason)
}

/** A program that couldn't work may not have begun a conversation. A whole prompt can begin one. */
function isLost({ conversation }: Session, { isWhole }: ResumeRequest): boolean {
  return conversation.providerSessionId === undefined && isWhole !== true
}

/** This process started and exited unrecorded, so nothing depends on it. Starts the next one. */
async function skipProcess(needs: Needs, passed: Session): Promise<void> {
  await needs.store.transact((records) =>
    records.sessions.save(passed, {
      audit: {
        actor: 'engine',
        action: 'session-pass',
        subject: passed.id,
        detail: { processNumber: passed.processNumber },
      },
      follow: [{ type: 'session-resume', sessionId: passed.id }],
    }),
  )
}

/** Resumes a session that tries again by itself, at its time. If woken too early, waits again. */
async function wakeByItself(needs: Needs, session: Session): Promise<void> {
  const at = session.state.type === 'suspended' ? wakeTimeOf(session.state.why) : undefined
  if (session.state.type !== 'suspended' || at === undefined) return
  const { why } = session.state
  const until = new Date(at)
  const work = { type: 'session-resume', sessionId: session.id } as const
  if (until > needs.clock.now()) return needs.wakeAt(until, work)
  const prompt = await promptAfter(needs, session, why)
  needs.crash.reach('conversation.before-wake')
  await needs.store.transact(async (records) => {
    const current = await records.sessions.find(session.id)
    if (current !== undefined) await storeResume(records, current, { prompt, isWhole: true }, 'engine')
  })
}

/** The prompt that continues after a suspension. Repeats the first one if the turn was cut off before any work. */
export async function promptAfter(
  needs: Parameters<ReturnType<typeof planOf>['firstPrompt']>[0],
  session: Session,
  why: Suspension,
): Promise<string> {
  if (why.type === 'asked') return resumePrompt({ type: 'asked' })
  return resumePrompt({
    type: why.type,
    firstPrompt: await planOf(session).firstPrompt(needs, { isWhole: true }),
  })
}

async function giveUp(needs: Needs, session: Session, reason: string): Promise<void> {
  await needs.store.transact(async (records) => {
    const current = await records.sessions.find(session.id)
    if (current === undefined || current.state.type === 'terminated') return
    const end = { type: 'unstarted', reason: `it could not be resumed: ${reason}` } as const
    await storeEnd(needs, records, current, { type: 'terminated', end })
  })
}
