import type { SessionId } from '../../../domain/id.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { nextSessionState } from '../../../domain/session/next-session-state.ts'
import type { Session } from '../../../domain/session/session.ts'
import type { ResumeWish } from '../../../domain/session/session-state.ts'
import type { IllegalTransition } from '../../../domain/transition.ts'
import type { Records } from '../../../ports/store/store.ts'
import { placeResumed } from '../../admission/request-place.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { resumePrompt } from '../../prompts/resume-prompt.ts'
import { storeEnd } from '../end/end-session.ts'
import { programOf } from '../program-of.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { Life } from './plan-launch.ts'
import { isStartable, type LifeNeeds, startLife } from './start-life.ts'

type Needs = LifeNeeds & Pick<EngineNeeds, 'wakeAt'>

/** Writes down that a resting session is to go on; the going on follows as work. */
export async function storeResume(
  records: Records,
  session: Session,
  wish: ResumeWish,
  actor: 'person' | 'engine',
): Promise<Result<Session, IllegalTransition>> {
  const state = nextSessionState(session.state, { type: 'resume-request', ...wish })
  if (!state.ok) return failure(state.failure)
  const saved = await records.sessions.save(
    { ...session, state: state.value },
    {
      audit: { actor, action: 'session-resume-request', subject: session.id, detail: { life: session.life } },
      follow: [{ type: 'session-resume', sessionId: session.id }],
    },
  )
  return success(saved)
}

/**
 * Starts the next life of a resting session: a new program in the same tree that goes on with the same
 * conversation. A session whose last program is not quite gone is left to whoever records that it is.
 */
export async function resumeSession(needs: Needs, sessionId: SessionId): Promise<void> {
  const seen = await needs.store.read.sessions.find(sessionId)
  if (seen?.state.type === 'suspended') {
    if (seen.state.resume === undefined) return wakeFromLimit(needs, seen)
    // Whoever stores its place sends this again.
    return seen.state.isOver ? placeResumed(needs, sessionId) : undefined
  }
  if (seen?.state.type === 'terminated') {
    // Stopped while its next program was starting: nobody else knows of that program.
    return programOf(needs, { ...seen, life: seen.life + 1 }).stop(needs.settings.stopGraceMs)
  }
  if (seen?.state.type !== 'starting' || seen.state.resume === undefined) return
  const { resume } = seen.state
  const session = seen
  const next: Session = { ...session, life: session.life + 1 }
  const workplace = await planOf(next).findWorkplace(needs)
  const { providerSessionId } = session.talk
  if (workplace === undefined || providerSessionId === undefined) {
    return giveUp(needs, session, 'what it worked on is gone')
  }
  const life: Life = {
    session: next,
    workplace,
    prompt: resume.prompt,
    resume: providerSessionId,
    mayBeginAnew: resume.isWhole === true,
  }
  const sight = await programOf(needs, next).look()
  if (!isStartable(sight)) return passLife(needs, next)
  const started = await startLife(needs, life, sight)
  if (!started.ok) await giveUp(needs, session, started.failure)
}

/** A life that came and went while nobody was there to record it told nobody anything: the next one is begun. */
async function passLife(needs: Needs, passed: Session): Promise<void> {
  await needs.store.transact((records) =>
    records.sessions.save(passed, {
      audit: { actor: 'engine', action: 'session-pass', subject: passed.id, detail: { life: passed.life } },
      follow: [{ type: 'session-resume', sessionId: passed.id }],
    }),
  )
}

/** Its quota is there again: it goes on by itself. Woken too early, it rests on. */
async function wakeFromLimit(needs: Needs, session: Session): Promise<void> {
  if (session.state.type !== 'suspended' || session.state.why.type !== 'limited') return
  const until = new Date(session.state.why.until)
  const work = { type: 'session-resume', sessionId: session.id } as const
  if (until > needs.clock.now()) return needs.wakeAt(until, work)
  const first = await planOf(session).firstPrompt(needs)
  const prompt = resumePrompt({ type: 'limited', firstPrompt: first })
  needs.crash.reach('talk.before-wake')
  await needs.store.transact(async (records) => {
    const current = await records.sessions.find(session.id)
    if (current !== undefined) await storeResume(records, current, { prompt, isWhole: true }, 'engine')
  })
}

async function giveUp(needs: Needs, session: Session, reason: string): Promise<void> {
  await needs.store.transact(async (records) => {
    const current = await records.sessions.find(session.id)
    if (current === undefined || current.state.type === 'terminated') return
    const end = { type: 'unstarted', reason: `it could not be gone on with: ${reason}` } as const
    await storeEnd(needs, records, current, { type: 'terminated', end })
  })
}
