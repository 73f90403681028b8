import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** Settles an attempt in one transaction that holds its job; does nothing when it has been settled meanwhile. */
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
