import type { RunId, VisitId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import { loadRun } from '../loaded-runs/load-run.ts'
import { closeRun } from './close-run.ts'
import { giveUpTask } from './end-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { storeRunEnd } from './store-run-end.ts'

/**
 * Ends a run as failed, because its playbook or a person says so. Nothing lands, and its task isn't tried again. Its
 * programs and those of the runs within it are stopped, and all their work stays pinned. For the run that waits for it, it has failed.
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
  await closeRun(needs, records, job, loaded.run, reason)
  const task = await storeRunEnd(needs, records, loaded.run, { type: 'run-end', end: 'failed', reason })
  const { parentId } = loaded.run
  if (parentId !== undefined) return await wakeParent(records, runId, parentId)
  await giveUpTask(needs, records, loaded.run, task, { end: 'failed', reason })
}

async function wakeParent(records: Records, runId: RunId, parentId: VisitId): Promise<void> {
  const waiting = await records.visits.find(parentId)
  if (waiting === undefined) return
  await records.note({
    audit: { actor: 'engine', action: 'run-abort', subject: runId, detail: {} },
    follow: [{ type: 'run-advance', runId: waiting.runId }],
  })
}
