import type { Attempt } from '../../domain/attempt/attempt.ts'
import { attemptRulesOf } from '../../domain/attempt/attempt-purpose.ts'
import type { AttemptId, JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { isTreeFree } from '../sessions/purposes/attempt.ts'
import { storeOutcome } from './store-outcome.ts'

/**
 * Settles an ended attempt as its assignment says. Returns the job whose merge queue may have work, even if the attempt was
 * settled before, because the process that settled it may have died right after.
 */
export async function settleAttempt(
  needs: Pick<EngineNeeds, 'store' | 'assignments'>,
  attemptId: AttemptId,
): Promise<JobId | undefined> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  const job = attempt === undefined ? undefined : await needs.store.read.jobs.find(attempt.jobId)
  if (attempt === undefined || job === undefined) return undefined
  const advanced = attemptRulesOf(attempt).runsAlone ? undefined : job.id
  if (attempt.state.type === 'settled') return advanced
  // The session that handed over may still write in the tree. Its end sends this work again.
  if (attempt.state.type !== 'ended' || !(await isTreeFree(needs, attempt))) return undefined
  const assignment = await needs.assignments.find(attempt)
  if (assignment === undefined) {
    // Nobody waits for it, because an earlier version asked for it.
    await settleOnce(needs, attempt, (records, _, current) =>
      storeOutcome(records, current, { type: 'cancelled' }),
    )
    return advanced
  }
  await assignment.settle(job, attempt)
  return advanced
}

/** Settles an attempt in one transaction that locks its job. Does nothing if it was settled meanwhile. */
export async function settleOnce(
  needs: Pick<EngineNeeds, 'store'>,
  attempt: Attempt,
  settle: (records: Records, job: Job, current: Attempt) => Promise<void>,
): Promise<void> {
  await needs.store.withJob(attempt.jobId, async (records, job) => {
    const current = await records.attempts.find(attempt.id)
    if (current?.state.type === 'ended') await settle(records, job, current)
  })
}
