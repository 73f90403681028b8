import { runEnded } from '../../domain/event/run-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Records } from '../../ports/store/store.ts'
import { storeCancelledRun } from './close-run.ts'
import { giveUpTask } from './end-run.ts'
import type { RunNeeds } from './run-needs.ts'

/** Cancels a task's run with the runs within it, and gives up the task. It can be resumed, because nothing decided it. */
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
  await records.note({
    audit: { actor: 'engine', action: 'run-end', subject: run.id, detail: { end: 'failed' } },
    events: [runEnded(run, task, 'failed', reason)],
  })
  await giveUpTask(needs, records, run, task, { end: 'failed', reason })
}
