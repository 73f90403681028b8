import { nextAttemptState } from '../../domain/attempt/next-attempt-state.ts'
import type { SessionId } from '../../domain/id.ts'
import { nextSessionState } from '../../domain/session/next-session-state.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'store' | 'host' | 'clock' | 'crash' | 'settings'>

/**
 * Records that a session's program is gone, and hands what it leaves to whoever judges it. The caller has read
 * its spools to the end.
 */
export async function endSession(needs: Needs, sessionId: SessionId, seen: SessionEnd): Promise<void> {
  const truncated = await truncatedSpools(needs, sessionId)
  await needs.store.transact(async (records) => {
    const session = await records.sessions.find(sessionId)
    if (session === undefined) return
    const state = nextSessionState(session.state, { type: 'host-end', end: seen })
    if (!state.ok || state.value.type !== 'terminated') return
    const { end } = state.value
    const now = needs.clock.now()
    await records.sessions.save(
      { ...session, state: state.value, endedAt: now },
      {
        audit: { actor: 'engine', action: 'session-end', subject: sessionId, detail: { end: end.type } },
        events: [
          {
            type: 'session_ended',
            jobId: session.jobId,
            sessionId,
            data: { role: session.role, end, ...truncated },
          },
        ],
        follow: [
          ...(session.purpose.type === 'check'
            ? [{ type: 'landing-advance', jobId: session.jobId } as const]
            : []),
          ...(await jobsWaitingForRoom(needs, records)),
        ],
      },
    )
    if (session.purpose.type === 'attempt') await endAttempt(records, session, end, now)
    needs.crash.reach('session-end.before-commit')
  })
}

/** Nothing to say in the usual case; a spool that reached its cap is named. */
async function truncatedSpools(
  needs: Needs,
  sessionId: SessionId,
): Promise<{ readonly truncated?: readonly string[] }> {
  const spools = ['out', 'err'] as const
  const cut = await Promise.all(spools.map((spool) => needs.host.truncated(sessionId, spool)))
  const truncated = spools.filter((_, index) => cut[index])
  return truncated.length === 0 ? {} : { truncated }
}

/** When all places were taken, other jobs may be waiting for the one that has become free. */
async function jobsWaitingForRoom(needs: Needs, records: Records): Promise<readonly Work[]> {
  const live = await records.sessions.listLive()
  if (live.length < needs.settings.maxSessions) return []
  return (await records.jobs.listOpen()).map((job) => ({ type: 'job-advance', jobId: job.id }))
}

async function endAttempt(records: Records, session: Session, end: SessionEnd, now: Date): Promise<void> {
  if (session.purpose.type !== 'attempt') return
  const attempt = await records.attempts.find(session.purpose.attemptId)
  if (attempt === undefined) return
  const state = nextAttemptState(attempt.state, { type: 'session-end', end })
  if (!state.ok) return
  await records.attempts.save(
    { ...attempt, state: state.value, endedAt: now },
    {
      audit: { actor: 'engine', action: 'attempt-end', subject: attempt.id, detail: { end: end.type } },
      follow: [{ type: 'attempt-settle', attemptId: attempt.id }],
    },
  )
}
