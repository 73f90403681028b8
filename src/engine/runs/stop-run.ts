import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import { closeVisits, stopVisits } from './close-visits.ts'
import { endEarly } from './end-run.ts'
import { type LoadedRun, loadRun } from './load-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { settleChildren } from './settle-children.ts'

/**
 * Ends a run that may not go on, with the best work that it has. The runs within it end first, so that their work counts.
 * Its programs are stopped, and what they leave is pinned.
 */
export async function stopRun(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
  reason: string,
): Promise<void> {
  const { run, visits } = loaded
  for (const { state } of visits) {
    const child = state.type === 'running-child' ? await loadRun(records, state.runId) : undefined
    if (child?.run.state.type === 'running') await stopRun(needs, records, job, child, reason)
  }
  await settleChildren(needs, records, loaded)
  await stopVisits(needs, records, job, visits, reason)
  await closeVisits(needs, records, run, reason)
  const stopped = await loadRun(records, run.id)
  if (stopped !== undefined) await endEarly(needs, records, job, stopped, reason)
}
