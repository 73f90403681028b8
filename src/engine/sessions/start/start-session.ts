import type { SessionId } from '../../../domain/id.ts'
import { placedAt, type Session } from '../../../domain/session/session.ts'
import { endSession } from '../end/end-session.ts'
import { programOf } from '../program-of.ts'
import { planOf } from '../purposes/plan-of.ts'
import type { SessionPlan } from '../purposes/session-plan.ts'
import type { Life } from './plan-launch.ts'
import { isStartable, type LifeNeeds, startLife } from './start-life.ts'

/** How long a prompt may fail to be made before the session is given up. */
const PROMPT_PATIENCE_MS = 5 * 60_000

/** Starts a session's first program. Safe to run again after any death. */
export async function startSession(needs: LifeNeeds, sessionId: SessionId): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session === undefined) return
  const program = programOf(needs, session)
  // Stopped while it was being started: what came up all the same is stopped.
  if (session.state.type === 'terminated' || session.state.type === 'terminating') {
    return program.stop(needs.settings.stopGraceMs)
  }
  if (!isNew(session)) return
  const sight = await program.look()
  // It ran and ended unseen: its spools are read to the end like any other's.
  if (!isStartable(sight)) return needs.adoptSession(sessionId)
  const giveUp = (reason: string) => endSession(needs, sessionId, { type: 'unstarted', reason })
  const plan = planOf(session)
  if (sight.type === 'absent') {
    const readiness = await plan.readiness(needs)
    if (readiness.type === 'later') return
    if (readiness.type === 'never') return giveUp(readiness.reason)
  }
  const life = await lifeOrProblem(needs, session, plan)
  if (typeof life === 'string') return giveUp(life)
  const started = await startLife(needs, life, sight)
  if (!started.ok) await giveUp(started.failure)
}

/** Has its place, and never had a program. */
function isNew({ state }: Session): boolean {
  return state.type === 'starting' && state.resume === undefined
}

/** What is in the way of its prompt may go away, and is waited for; after a while it is the reason to give up. */
async function lifeOrProblem(needs: LifeNeeds, session: Session, plan: SessionPlan): Promise<Life | string> {
  try {
    const [workplace, prompt] = await Promise.all([plan.findWorkplace(needs), plan.firstPrompt(needs)])
    if (workplace === undefined) return 'what it was to work on is gone'
    const { conversation } = workplace
    return { session, workplace, prompt, ...(conversation === undefined ? {} : { resume: conversation }) }
  } catch (error) {
    const waitedMs = needs.clock.now().getTime() - placedAt(session)
    if (waitedMs < PROMPT_PATIENCE_MS) throw error
    return `its prompt could not be made: ${error instanceof Error ? error.message : error}`
  }
}
