import type { Job } from '../../domain/job/job.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Records } from '../../ports/store/store.ts'
import { storeCancelledRun } from './close-run.ts'
import { giveUpTask } from './end-run.ts'
import type { RunNeeds } from './run-needs.ts'

/** Cancels a task's run with the runs within it, and gives up the task. */
export async function cancelOwnRun(
  needs: RunNeeds,
  records: Records,
  job: Job,
  run: Run,
  reason: string,
): Promise<void> {
  await storeCancelledRun(needs, records, job, run, reason)
  const task = await records.tasks.find(run.taskId)
  if (task === undefined) throw new Error(`run ${run.id} has lost its task`)
  await giveUpTask(needs, records, run, task, { end: 'cancelled', reason })
}
