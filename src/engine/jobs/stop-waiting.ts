import type { Job } from '../../domain/job/job.ts'
import { attemptIdOf } from '../../domain/session/session-purpose.ts'
import type { SessionState } from '../../domain/session/session-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeStop } from '../sessions/end/stop-session.ts'

const IDLE: readonly SessionState['type'][] = ['waiting', 'suspended', 'starting']

/**
 * Stops the agents of a job that is out of time and that wait for something: a place, the next day's money, or their
 * quota. Nothing else would end them; those at work have a deadline.
 */
export async function stopWaiting(
  needs: Pick<EngineNeeds, 'clock' | 'settings'>,
  records: Records,
  job: Job,
): Promise<void> {
  for (const session of await records.sessions.listLive(job.id)) {
    if (attemptIdOf(session) === undefined || !IDLE.includes(session.state.type)) continue
    const afterMs = needs.clock.now().getTime() - session.createdAt.getTime()
    await storeStop(needs, records, session, { type: 'timed-out', afterMs })
  }
}
