import type { Attempt } from '../../domain/attempt/attempt.ts'
import { parseId, type SessionId } from '../../domain/id.ts'
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
  await clearAway(needs, new Set(sessions.map((session) => session.id)), attempts)
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

/** Removes spools and trees that a death left behind, and only those whose work is settled, hence pinned. */
async function clearAway(
  needs: Needs,
  live: ReadonlySet<string>,
  unsettled: readonly Attempt[],
): Promise<void> {
  const awaited = new Set(unsettled.map((attempt) => attempt.sessionId as string))
  for (const sessionId of await needs.host.list()) {
    if (live.has(sessionId) || awaited.has(sessionId)) continue
    if (!(await isAwaitedCheck(needs, sessionId))) await needs.host.remove(sessionId)
  }
  const names = await needs.disk.list(needs.settings.treesDirectory)
  // A tree has siblings that begin with its name: its index, and what a death left half made.
  for (const name of new Set(names.map((entry) => entry.split('.', 1)[0] ?? ''))) await clearTree(needs, name)
}

/** An ended check whose landing has not judged it yet: its output is still needed. */
async function isAwaitedCheck(needs: Needs, sessionId: SessionId): Promise<boolean> {
  const session = await needs.store.read.sessions.find(sessionId)
  if (session?.purpose.type !== 'check') return false
  const landing = await needs.store.read.landings.find(session.purpose.landingId)
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
