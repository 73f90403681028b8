import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import { answerRejected } from '../../domain/event/cycle-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import { storeOutcome } from '../attempts/store-outcome.ts'

/** An answer that cannot be used: the planner is told why and asked again, as often as it may be. */
export async function rejectAnswer(
  records: Records,
  job: Job,
  cycle: Cycle,
  attempt: Attempt,
  problem: string,
): Promise<void> {
  await storeOutcome(records, attempt, { type: 'rejected', reason: problem })
  await records.note({
    audit: {
      actor: 'engine',
      action: 'discovery-reject',
      subject: cycle.id,
      detail: { try: attempt.number },
    },
    events: [answerRejected(cycle, attempt, problem)],
    follow: [{ type: 'job-advance', jobId: job.id }],
  })
}
