import type { Attempt } from '../attempt/attempt.ts'
import { attemptRulesOf } from '../attempt/attempt-purpose.ts'
import type { Job } from '../job/job.ts'
import { SESSION_LIMITS } from '../limits/session-limits.ts'
import type { Priority } from '../task/task.ts'
import type { KeptPlace } from './turn.ts'

/**
 * The place of an ended attempt. Until the attempt is settled, no one knows what follows it, so its place must not go to
 * something less important. Finished work that isn't a run's only lands, and a landing never waits for a place.
 */
export function keepPlace(
  { projectId }: Pick<Job, 'projectId'>,
  { id, purpose, state, endedAt }: Pick<Attempt, 'id' | 'purpose' | 'state' | 'endedAt'>,
  priority: Priority,
  now: Date,
): KeptPlace | undefined {
  if (state.type !== 'ended' || endedAt === undefined) return undefined
  const { landsNext, runsAlone } = attemptRulesOf({ purpose })
  if (landsNext && state.ending === 'done') return undefined
  // If settling fails, the others must not wait for it.
  if (Math.abs(now.getTime() - endedAt.getTime()) >= SESSION_LIMITS.keptPlaceMs) return undefined
  // What follows an attempt that ran alone is new work.
  const stage = runsAlone ? 'begin' : 'continue'
  return { turn: { isPersonal: false, priority, stage, since: endedAt, id }, projectId }
}

/** When the place is given up if the attempt is still not settled. */
export function keptUntil({ turn }: KeptPlace): Date {
  return new Date(turn.since.getTime() + SESSION_LIMITS.keptPlaceMs)
}
