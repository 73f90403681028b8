import type { Attempt } from '../../domain/attempt/attempt.ts'
import { parseId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { APPROVAL_LIMITS } from '../../domain/limits/approval-limits.ts'
import type { Session } from '../../domain/session/session.ts'
import type { HostId } from '../../ports/session-host.ts'
import type { Work } from '../../ports/work-queue.ts'
import { startOf } from '../admission/place-session.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { lifeOfHost } from '../sessions/host-of.ts'
import { planOf } from '../sessions/purposes/plan-of.ts'
import { findWarmWork } from '../trees/find-warm-work.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'trees' | 'host' | 'disk' | 'settings' | 'adoptSession' | 'wakeAt' | 'log'
> & {
  readonly send: (work: Work) => Promise<void>
}

/**
 * The second line: compares rows with the world and sends again whatever would move each of them on. Handlers
 * do nothing when there is nothing to do, so a repeat costs little and a lost piece of work is found.
 */
export async function reconcile(needs: Needs): Promise<void> {
  const { read } = needs.store
  const [jobs, sessions, attempts, candidates, questions] = await Promise.all([
    read.jobs.listOpen(),
    read.sessions.listLive(),
    read.attempts.listUnsettled(),
    read.candidates.listOpen(),
    read.approvals.list({ isPending: true }, APPROVAL_LIMITS.perRound),
  ])
  for (const { id, expiresAt } of questions)
    needs.wakeAt(expiresAt, { type: 'approval-expire', approvalId: id })
  for (const session of sessions) {
    if (session.state.type !== 'starting' && session.state.type !== 'waiting') needs.adoptSession(session.id)
  }
  const work: Work[] = [
    ...sessions.flatMap(workOfSession),
    ...attempts.flatMap(workOfAttempt),
    { type: 'admission-wake' },
  ]
  // Also of jobs that are over: a person may be merging what they made.
  for (const jobId of new Set(candidates.map((candidate) => candidate.jobId))) {
    work.push({ type: 'landing-advance', jobId })
  }
  for (const job of jobs) work.push(...(await workOfJob(needs, job)))
  work.push(...(await findWarmWork(needs, jobs)))
  for (const item of work) await needs.send(item)
  await clearAway(needs)
}

function workOfSession(session: Session): readonly Work[] {
  const { id: sessionId, state } = session
  if (state.type === 'terminating') return [{ type: 'session-stop', sessionId }]
  if (state.type === 'suspended') {
    const stop = state.isOver ? [] : [{ type: 'session-stop', sessionId } as const]
    const isToGoOn = state.resume !== undefined || state.why.type === 'limited'
    return isToGoOn ? [...stop, { type: 'session-resume', sessionId }] : stop
  }
  return state.type === 'starting' ? [startOf(session)] : []
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
  const hostIds = await needs.host.list()
  const names = await needs.disk.list(needs.settings.treesDirectory)
  for (const hostId of hostIds) await alone(needs, hostId, () => clearHost(needs, hostId))
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

async function clearHost(needs: Needs, hostId: HostId): Promise<void> {
  const life = lifeOfHost(hostId)
  if (life === undefined) return
  const { sessionId } = life
  const session = await needs.store.read.sessions.find(sessionId)
  // The files of an earlier life are of no more use; those of the next one may just be being made.
  const isCurrent = session !== undefined && life.life >= session.life
  if (session !== undefined && session.state.type !== 'terminated' && isCurrent) return
  // Over by its row and running all the same: it came up in the moment it was stopped.
  if ((await needs.host.look(hostId)).type === 'running') {
    await needs.host.stop(hostId, needs.settings.stopGraceMs)
  }
  if (session !== undefined && (await planOf(session).isNeeded(needs))) return
  await needs.host.remove(hostId)
}

async function clearTree(needs: Needs, name: string): Promise<void> {
  const attemptId = parseId('attempt', name)
  if (attemptId !== undefined) {
    const attempt = await needs.store.read.attempts.find(attemptId)
    if (attempt?.state.type === 'settled') await needs.send({ type: 'attempt-clear', attemptId })
    return
  }
  const sessionId = parseId('session', name)
  if (sessionId !== undefined) {
    const session = await needs.store.read.sessions.find(sessionId)
    if (session?.state.type === 'terminated') await needs.send({ type: 'session-clear', sessionId })
    return
  }
  const candidateId = parseId('candidate', name)
  const candidate =
    candidateId === undefined ? undefined : await needs.store.read.candidates.find(candidateId)
  // A tree that was only checked holds nothing of its own: its commit is in the hub.
  if (candidate?.endedAt !== undefined) await needs.trees.remove(`${needs.settings.treesDirectory}/${name}`)
}
