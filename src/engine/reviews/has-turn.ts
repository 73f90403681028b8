import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Session } from '../../domain/session/session.ts'
import { findDayLimit } from '../budget/day-limit.ts'
import type { EngineNeeds, EngineSettings } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock'> & {
  readonly settings: Pick<EngineSettings, 'maxSessions'>
}

/**
 * Whether there is a place for a reviewer. It was asked for when its worker ended, whether there was one or not;
 * among those that wait the oldest is first, so that they never wait for each other.
 */
export async function hasTurn(needs: Needs, attempt: Attempt, session: Session): Promise<boolean> {
  const { read } = needs.store
  const job = await read.jobs.find(attempt.jobId)
  if (job === undefined) return false
  if ((await findDayLimit(read, job, needs.clock.now())) !== undefined) return false
  const ahead = (await read.sessions.listLive()).filter((other) => isAhead(other, session))
  const ofRole = ahead.filter(({ role }) => role === attempt.role).length
  const ofAgent = ahead.filter(({ agentName }) => agentName === attempt.agent.name).length
  return (
    ahead.length < needs.settings.maxSessions &&
    ofRole <
      (job.plan.roles?.[attempt.role]?.maxParallel ??
        job.plan.roleLimits?.[attempt.role] ??
        Number.POSITIVE_INFINITY) &&
    ofAgent < (attempt.agent.maxParallel ?? Number.POSITIVE_INFINITY)
  )
}

function isAhead(other: Session, session: Session): boolean {
  if (other.id === session.id || other.state.type === 'suspended') return false
  const waits = other.state.type === 'starting' && other.role === session.role
  return !waits || other.id < session.id
}
