import type { Attempt } from '../../domain/attempt/attempt.ts'
import { type AttemptId, type LandingId, parseId, type SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'store' | 'hub' | 'host' | 'disk' | 'settings' | 'adoptSession' | 'log'> & {
  readonly send: (work: Work) => Promise<void>
}

/**
 * The second line: compares rows with the world and sends again whatever would move each of them on. Handlers
 * do nothing when there is nothing to do, so a repeat costs little and a lost piece of work is found.
 */
export async function reconcile(needs: Needs): Promise<void> {
  const { read } = needs.store
  const [jobs, sessions, attempts] = await Promise.all([
    read.jobs.listOpen(),
    read.sessions.listLive(),
    read.attempts.listUnsettled(),
  ])
  for (const session of sessions) {
    if (session.state.type !== 'starting') needs.adoptSession(session.id)
  }
  const work = [...sessions.flatMap(workOfSession), ...attempts.flatMap(workOfAttempt)]
  for (const job of jobs) work.push(...(await workOfJob(needs, job)))
  for (const item of work) await needs.send(item)
  await clearAway(needs)
}

function workOfSession(session: Session): readonly Work[] {
  if (session.state.type === 'terminating') return [{ type: 'session-stop', sessionId: session.id }]
  if (session.state.type !== 'starting') return []
  return session.purpose.type === 'check'
    ? [{ type: 'check-start', sessionId: session.id }]
    : [{ type: 'attempt-start', attemptId: session.purpose.attemptId }]
}

function workOfAttempt(attempt: Attempt): readonly Work[] {
  return attempt.state.type === 'ended' ? [{ type: 'attempt-settle', attemptId: attempt.id }] : []
}

async function workOfJob(needs: Needs, job: Job): Promise<readonly Work[]> {
  if (job.state.type !== 'running') return []
  const cycle = await needs.store.read.cycles.findNumber(job.id, job.currentCycle)
  const landings = await needs.store.read.landings.listOpen(job.id)
  return [
    { type: 'job-advance', jobId: job.id },
    ...(landings.length > 0 ? [{ type: 'landing-advance', jobId: job.id } as const] : []),
    ...(cycle?.phase === 'update' ? [{ type: 'cycle-update', cycleId: cycle.id } as const] : []),
  ]
}

/**
 * Removes spools and trees that a death left behind, and only those whose work is settled, hence pinned. What
 * is on the disk is listed before the rows are read: a session made meanwhile is not taken for a leftover. One
 * that cannot be removed holds up no other.
 */
async function clearAway(needs: Needs): Promise<void> {
  const sessionIds = await needs.host.list()
  const names = await needs.disk.list(needs.settings.treesDirectory)
  for (const sessionId of sessionIds) await alone(needs, sessionId, () => clearSession(needs, sessionId))
  // A tree has siblings that begin with its name: its index, and what a death left half made.
  for (const name of new Set(names.map((entry) => entry.split('.', 1)[0] ?? ''))) {
    await alone(needs, name, () => clearTree(needs, name))
  }
}

async function alone(needs: Needs, name: string, clear: () => Promise<void>): Promise<void> {
  try {
    await clear()
  } catch (error) {
    needs.log.warn({ name, error: String(error) }, 'a leftover could not be removed yet')
  }
}

async function clearSession(needs: Needs, sessionId: SessionId): Promise<void> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session !== undefined && session.state.type !== 'terminated') return
  // Over by its row and running all the same: it came up in the moment it was stopped.
  if ((await needs.host.look(sessionId)).type === 'running') {
    await needs.host.stop(sessionId, needs.settings.stopGraceMs)
  }
  if (
    session?.purpose.type === 'check' &&
    (await isAwaitedCheck(needs, session.purpose.landingId, sessionId))
  )
    return
  if (session?.purpose.type === 'attempt' && (await isAwaitedAttempt(needs, session.purpose.attemptId)))
    return
  await needs.host.remove(sessionId)
}

async function isAwaitedAttempt(needs: Needs, attemptId: AttemptId): Promise<boolean> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  return attempt !== undefined && attempt.state.type !== 'settled'
}

/** An ended check that its landing has not judged yet: its output is still needed. */
async function isAwaitedCheck(needs: Needs, landingId: LandingId, sessionId: SessionId): Promise<boolean> {
  const landing = await needs.store.read.landings.find(landingId)
  return landing?.state.type === 'checking' && landing.state.sessionId === sessionId
}

async function clearTree(needs: Needs, name: string): Promise<void> {
  const attemptId = parseId('attempt', name)
  if (attemptId !== undefined) {
    const attempt = await needs.store.read.attempts.find(attemptId)
    if (attempt?.state.type === 'settled') await needs.send({ type: 'attempt-clear', attemptId })
    return
  }
  const landingId = parseId('landing', name.split('-', 1)[0] ?? '')
  const landing = landingId === undefined ? undefined : await needs.store.read.landings.find(landingId)
  // A tree that was only checked holds nothing of its own: its commit is in the hub.
  if (landing?.endedAt !== undefined) await needs.hub.removeTree(`${needs.settings.treesDirectory}/${name}`)
}
