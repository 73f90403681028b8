import { assertNever } from '../../domain/assert-never.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import { APPROVAL_LIMITS } from '../../domain/limits/approval-limits.ts'
import { MESSAGE_LIMITS } from '../../domain/limits/message-limits.ts'
import type { Session } from '../../domain/session/session.ts'
import { wakeTimeOf } from '../../domain/session/session-state.ts'
import type { HostId } from '../../ports/session-host.ts'
import type { Work } from '../../ports/work-queue.ts'
import { startWorkOf } from '../admission/admit-session.ts'
import { judgeFiles, judgeTree, listTrees } from '../cleanup/judge-leftover.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { treeOf } from '../trees/tree-of.ts'
import { findWarmWork } from '../trees/warm-trees.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'trees' | 'host' | 'disk' | 'settings' | 'adoptSession' | 'wakeAt' | 'log'
> & {
  readonly send: (work: Work) => Promise<void>
}

/**
 * Compares rows with the world and sends the work that each of them needs again, in case it was lost. Handlers do
 * nothing if there is nothing to do, so a repeat costs little.
 */
export async function reconcile(needs: Needs): Promise<void> {
  const { read } = needs.store
  const [jobs, sessions, attempts, candidates, baselines, runs, deletions, questions, deadlines] =
    await Promise.all([
      read.jobs.listOpen(),
      read.sessions.listLive(),
      read.attempts.listUnsettled(),
      read.candidates.listOpen(),
      read.baselines.listOpen(),
      read.runs.listOpen(),
      read.deletions.listOpen(),
      read.approvals.list({ isPending: true }, APPROVAL_LIMITS.perRound),
      read.messages.listDeadlines(MESSAGE_LIMITS.deadlinesPerRound),
    ])
  for (const { id, expiresAt } of questions)
    needs.wakeAt(expiresAt, { type: 'approval-expire', approvalId: id })
  for (const { id: messageId, deadline } of deadlines)
    if (deadline !== undefined) needs.wakeAt(deadline, { type: 'message-expire', messageId })
  for (const session of sessions) {
    if (session.state.type !== 'starting' && session.state.type !== 'waiting') needs.adoptSession(session.id)
  }
  const work: Work[] = [
    ...sessions.flatMap(workOfSession),
    ...attempts.flatMap(workOfAttempt),
    ...baselines.map(({ id: baselineId }) => ({ type: 'baseline-advance', baselineId }) as const),
    ...runs.map(({ id: runId }) => ({ type: 'run-advance', runId }) as const),
    ...deletions.map(({ jobId }) => ({ type: 'deletion-finish', jobId }) as const),
    { type: 'admission-wake' },
  ]
  // Also for jobs that have ended: a person may be merging their work.
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
    const stop = state.hasExited ? [] : [{ type: 'session-stop', sessionId } as const]
    const mustResume = state.resume !== undefined || wakeTimeOf(state.why) !== undefined
    return mustResume ? [...stop, { type: 'session-resume', sessionId }] : stop
  }
  return state.type === 'starting' ? [startWorkOf(session)] : []
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
 * Removes spools and trees that a crash left behind, but only if their work is settled and therefore pinned. The disk
 * is listed before the rows are read, so a session created meanwhile doesn't look like a leftover. A leftover that
 * can't be removed doesn't block the others.
 */
async function clearAway(needs: Needs): Promise<void> {
  const hostIds = await needs.host.list()
  const trees = await listTrees(needs)
  for (const hostId of hostIds) await tryClear(needs, hostId, () => clearHost(needs, hostId))
  for (const name of trees) await tryClear(needs, name, () => clearTree(needs, name))
}

async function tryClear(needs: Needs, name: string, clear: () => Promise<void>): Promise<void> {
  try {
    await clear()
  } catch (error) {
    needs.log.warn({ name, error: String(error) }, 'a leftover could not be removed yet')
  }
}

async function clearHost(needs: Needs, hostId: HostId): Promise<void> {
  const left = await judgeFiles(needs, hostId)
  if (left === undefined) return
  // The row says that it ended, but it is running: it started at the moment it was stopped.
  // If its record can't be read, its host ends the program when its files are removed.
  const snapshot = await needs.host.inspect(hostId).catch(() => undefined)
  if (snapshot?.type === 'running') {
    await needs.host.stop(hostId, needs.settings.stopGraceMs)
  }
  if (!left.isNeeded) await needs.host.remove(hostId)
}

async function clearTree(needs: Needs, name: string): Promise<void> {
  const verdict = await judgeTree(needs, name)
  switch (verdict.type) {
    case 'attempt-settled':
      if (needs.settings.keptTrees.has(verdict.attemptId)) return
      return needs.send({ type: 'attempt-clear', attemptId: verdict.attemptId })
    case 'session-ended':
      return needs.send({ type: 'session-clear', sessionId: verdict.sessionId })
    case 'checked':
      return needs.trees.remove(treeOf(needs, verdict.owner))
    case 'in-use':
    case 'unexplained':
      return
    default:
      return assertNever(verdict)
  }
}
