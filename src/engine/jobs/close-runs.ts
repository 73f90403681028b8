import type { Job } from '../../domain/job/job.ts'
import { nextRunState } from '../../domain/run/next-run-state.ts'
import { nextVisitState } from '../../domain/run/next-visit-state.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Records } from '../../ports/store/store.ts'
import { voidApproval } from '../approvals/void-approvals.ts'
import type { EngineNeeds } from '../engine-needs.ts'

type Needs = Pick<EngineNeeds, 'clock'>

/** Cancels the open runs of a job that ends, with their visits, and withdraws what they ask a person. */
export async function closeRuns(needs: Needs, records: Records, job: Job, reason: string): Promise<void> {
  for (const run of await records.runs.listOpen(job.id)) {
    await closeVisits(needs, records, run, reason)
    if (run.state.type === 'asking') await voidApproval(needs, records, run.state.approvalId, reason)
    const state = nextRunState(run.state, { type: 'run-cancel', reason })
    if (!state.ok) continue
    await records.runs.save(
      { ...run, state: state.value, endedAt: needs.clock.now() },
      { audit: { actor: 'engine', action: 'run-cancel', subject: run.id, detail: {} } },
    )
  }
}

async function closeVisits(needs: Needs, records: Records, run: Run, reason: string): Promise<void> {
  for (const visit of await records.visits.listOfRun(run.id)) {
    const state = nextVisitState(visit.state, { type: 'visit-cancel' })
    if (!state.ok) continue
    if (visit.state.type === 'asking') await voidApproval(needs, records, visit.state.approvalId, reason)
    await records.visits.save(
      { ...visit, state: state.value, endedAt: needs.clock.now() },
      { audit: { actor: 'engine', action: 'visit-cancel', subject: visit.id, detail: {} } },
    )
  }
}
