import type { RunId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import { closeVisits, stopVisits } from './close-visits.ts'
import { failTask } from './end-run.ts'
import { loadRun } from './load-run.ts'
import type { RunNeeds } from './run-needs.ts'

/**
 * Ends a run as failed, because its playbook or a person says so. Nothing lands. Its programs are stopped, and all work
 * of the run stays pinned.
 */
export async function abortRun(
  needs: RunNeeds,
  records: Records,
  job: Job,
  runId: RunId,
  reason: string,
): Promise<void> {
  const loaded = await loadRun(records, runId)
  if (loaded?.run.state.type !== 'running') return
  await stopVisits(needs, records, job, loaded.visits, reason)
  await closeVisits(needs, records, loaded.run, reason)
  await failTask(needs, records, loaded.run, 'failed', reason)
}
