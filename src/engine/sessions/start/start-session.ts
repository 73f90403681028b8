import type { SessionId } from '../../../domain/id.ts'
import { SESSION_LIMITS } from '../../../domain/limits/session-limits.ts'
import { placedAt, type Session } from '../../../domain/session/session.ts'
import { endSession } from '../end/end-session.ts'
import { programOf } from '../program-of.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { SessionPlan } from '../purposes/session-plan.ts'
import type { ProgramStart } from './plan-spawn.ts'
import { isStartable, type StartNeeds, startProgram } from './start-program.ts'

/** Starts a session's first process. Safe to repeat after a crash at any point. */
export async function startSession(needs: StartNeeds, sessionId: SessionId): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined) return
  const program = programOf(needs, session)
  // Stopped while it was starting: stop the program in case it came up anyway.
  if (session.state.type === 'terminated' || session.state.type === 'terminating') {
    return program.stop(needs.settings.stopGraceMs)
  }
  if (!isNew(session)) return
  const plan = planOf(session)
  const preparing = requestOrProblem(needs, session, plan)
  // Awaited below, unless it turns out that nothing is to be started.
  preparing.catch(() => undefined)
  const [snapshot, readiness] = await Promise.all([program.inspect(), plan.readiness(needs)])
  // It ran and ended unseen: read its spools to the end like any other's.
  if (!isStartable(snapshot)) return needs.adoptSession(sessionId)
  const giveUp = (reason: string) => endSession(needs, sessionId, { type: 'unstarted', reason })
  if (snapshot.type === 'absent') {
    if (readiness.type === 'later') return
    if (readiness.type === 'never') return giveUp(readiness.reason)
  }
  const request = await preparing
  if (typeof request === 'string') return giveUp(request)
  const started = await startProgram(needs, request, snapshot)
  if (!started.ok) await giveUp(started.failure)
}

/** Admitted, and never had a process. */
function isNew({ state }: Session): boolean {
  return state.type === 'starting' && state.resume === undefined
}

/** Building the prompt may fail temporarily, so it is retried for a while before giving up. */
async function requestOrProblem(
  needs: StartNeeds,
  session: Session,
  plan: SessionPlan,
): Promise<ProgramStart | string> {
  try {
    const [workplace, prompt] = await Promise.all([plan.findWorkplace(needs), plan.firstPrompt(needs)])
    if (workplace === undefined) return 'what it should work on no longer exists'
    const { conversation } = workplace
    return { session, workplace, prompt, ...(conversation === undefined ? {} : { resume: conversation }) }
  } catch (error) {
    const waitedMs = needs.clock.now().getTime() - placedAt(session)
    if (waitedMs < SESSION_LIMITS.promptPatienceMs) throw error
    return `its prompt could not be built: ${error instanceof Error ? error.message : error}`
  }
}
