import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeCancelledRun } from '../runs/close-run.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'settings'>

/** Cancels the open runs of a job that ends. */
export async function closeRuns(needs: Needs, records: Records, job: Job, reason: string): Promise<void> {
  for (const { id } of await records.runs.listOpen(job.id)) {
    // Read again, because the runs within a run are cancelled with it.
    const run = await records.runs.find(id)
    if (run !== undefined) await storeCancelledRun(needs, records, job, run, reason)
  }
}
