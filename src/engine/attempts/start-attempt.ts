import type { Attempt } from '../../domain/attempt/attempt.ts'
import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import { nextAttemptState } from '../../domain/attempt/next-attempt-state.ts'
import type { AttemptId } from '../../domain/id.ts'
import { failure, type Result } from '../../domain/result.ts'
import type { Session } from '../../domain/session/session.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { hasTurn } from '../reviews/has-turn.ts'
import { endSession } from '../sessions/end-session.ts'
import { hostOf } from '../sessions/host-of.ts'
import type { Life } from '../sessions/launch-life.ts'
import { type LifeNeeds, type LifeStart, startLife } from '../sessions/start-life.ts'
import { findWorkplace } from '../sessions/workplace.ts'
import { promptOf } from './attempt-prompt.ts'

type Needs = LifeNeeds & Pick<EngineNeeds, 'ids' | 'log'>

/** What could not be started for this long is given up; a reviewer may have to wait for a place besides. */
const PATIENCE_MS = { planner: 30 * 60_000, worker: 30 * 60_000, reviewer: 24 * 60 * 60_000 }

const PROMPT_PATIENCE_MS = 5 * 60_000

/** Makes the working tree of an attempt and starts its agent there. Safe to run again after any death. */
export async function startAttempt(needs: Needs, attemptId: AttemptId): Promise<void> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  if (attempt === undefined) return
  const session = await needs.store.read.sessions.find(attempt.sessionId)
  if (session === undefined) return
  if (attempt.state.type !== 'preparing') return stopStray(needs, attempt, session)
  // Asked to stop before it began: nothing may start any more, and what did is stopped.
  if (session.state.type !== 'starting') return abandon(needs, session)
  if (!(await isTreeFree(needs, attempt))) return
  // Whoever frees a place sends this again.
  if (attempt.role === 'reviewer' && !(await hasTurn(needs, attempt, session))) return
  const life = await lifeOrProblem(needs, attempt, session)
  if (life === undefined) return
  if (typeof life === 'string') return endSession(needs, session.id, { type: 'unstarted', reason: life })
  const started = await start(needs, attempt, life)
  if (!started.ok) return endSession(needs, session.id, { type: 'unstarted', reason: started.failure })
  // It ran and ended while nobody was there: its spools are read to the end like any other's.
  if (started.value === 'ended') needs.adoptSession(session.id)
}

/** Whoever settled the attempt while its program was being started could not know of it. */
async function stopStray(needs: Needs, attempt: Attempt, session: Session): Promise<void> {
  const isOver = attempt.state.type === 'ended' || attempt.state.type === 'settled'
  if (isOver) await needs.host.stop(hostOf(session), needs.settings.stopGraceMs)
}

async function abandon(needs: Needs, session: Session): Promise<void> {
  await needs.host.stop(hostOf(session), needs.settings.stopGraceMs)
  await endSession(needs, session.id, { type: 'lost', reason: 'stopped before it was seen to start' })
}

/** An heir waits until the program that handed over is gone: the two must not write in one tree. */
async function isTreeFree(needs: Needs, attempt: Attempt): Promise<boolean> {
  const last = attempt.handoffs.at(-1)
  if (last === undefined) return true
  const session = await needs.store.read.sessions.find(last.from)
  return session === undefined || session.state.type === 'terminated'
}

/** What is in the way of its prompt may go away, and is waited for; then it is said. */
async function lifeOrProblem(
  needs: Needs,
  attempt: Attempt,
  session: Session,
): Promise<Life | string | undefined> {
  try {
    return await lifeOf(needs, attempt, session)
  } catch (error) {
    const waitedMs = needs.clock.now().getTime() - session.createdAt.getTime()
    if (waitedMs < PROMPT_PATIENCE_MS) throw error
    return `what it is to be told could not be put together: ${error instanceof Error ? error.message : error}`
  }
}

async function lifeOf(needs: Needs, attempt: Attempt, session: Session): Promise<Life | undefined> {
  const workplace = await findWorkplace(needs, session)
  const taskId = taskIdOf(attempt)
  const [job, task] = await Promise.all([
    needs.store.read.jobs.find(attempt.jobId),
    taskId === undefined ? undefined : needs.store.read.tasks.find(taskId),
  ])
  if (workplace === undefined || job === undefined) return undefined
  return { session, workplace, prompt: await promptOf(needs, job, attempt, task) }
}

async function start(needs: Needs, attempt: Attempt, life: Life): Promise<Result<LifeStart, string>> {
  const waitedMs = needs.clock.now().getTime() - life.session.createdAt.getTime()
  if (waitedMs > PATIENCE_MS[attempt.role]) return failure('it could not be started for too long')
  return await startLife(needs, life, async (records) => {
    const state = nextAttemptState(attempt.state, { type: 'session-start' })
    if (!state.ok) return
    await records.attempts.save(
      { ...attempt, state: state.value },
      { audit: { actor: 'engine', action: 'attempt-run', subject: attempt.id, detail: {} } },
    )
  })
}
