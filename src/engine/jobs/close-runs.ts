import type { Job } from '../../domain/job/job.ts'
import { nextRunState } from '../../domain/run/next-run-state.ts'
import { withStoppedClock } from '../../domain/run/run-clock.ts'
import type { Records } from '../../ports/store/store.ts'
import { voidApproval } from '../approvals/void-approvals.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { closeVisits } from '../runs/close-visits.ts'

type Needs = Pick<EngineNeeds, 'clock'>

/** Cancels the open runs of a job that ends, with their visits, and withdraws what they ask a person. */
export async function closeRuns(needs: Needs, records: Records, job: Job, reason: string): Promise<void> {
  const now = needs.clock.now()
  for (const run of await records.runs.listOpen(job.id)) {
    await closeVisits(needs, records, run, reason)
    if (run.state.type === 'asking') await voidApproval(needs, records, run.state.approvalId, reason)
    const state = nextRunState(run.state, { type: 'run-cancel', reason })
    if (!state.ok) continue
    await records.runs.save(
      { ...withStoppedClock(run, now), state: state.value, endedAt: now },
      { audit: { actor: 'engine', action: 'run-cancel', subject: run.id, detail: {} } },
    )
  }
}
