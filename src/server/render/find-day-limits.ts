import type { Job } from '../../domain/job/job.ts'
import { findDayLimit } from '../../engine/budget/day-limit.ts'
import type { ServerNeeds } from '../server-needs.ts'

/** Which of these jobs start nothing more today, and until when. */
export async function findDayLimits(
  needs: Pick<ServerNeeds, 'store' | 'clock'>,
  jobs: readonly Job[],
): Promise<ReadonlyMap<string, Date>> {
  const limits = new Map<string, Date>()
  for (const job of jobs) {
    const until = await findDayLimit(needs.store.read, job, needs.clock.now())
    if (until !== undefined) limits.set(job.id, until)
  }
  return limits
}
