import { runCancelled } from '../../domain/event/run-events.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextRunState } from '../../domain/run/next-run-state.ts'
import type { Run } from '../../domain/run/run.ts'
import { withStoppedClock } from '../../domain/run/run-clock.ts'
import type { Records } from '../../ports/store/store.ts'
import { voidApproval } from '../approvals/void-approvals.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { closeVisits, stopVisits } from './close-visits.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'settings'>

/** Ends all that goes on in a run: its programs, its open visits, and the runs within it. The caller ends the run. */
export async function closeRun(
  needs: Needs,
  records: Records,
  job: Job,
  run: Run,
  reason: string,
): Promise<void> {
  const visits = await records.visits.listOfRun(run.id)
  for (const { state: waiting } of visits) {
    const child = waiting.type === 'running-child' ? await records.runs.find(waiting.runId) : undefined
    if (child !== undefined) await storeCancelledRun(needs, records, job, child, reason)
  }
  await stopVisits(needs, records, job, visits, reason)
  await closeVisits(needs, records, run, reason)
}

/**
 * Cancels a run with the runs within it, and withdraws what it asks a person. It can be resumed, because nothing decided
 * it. The only place where a run is cancelled.
 */
export async function storeCancelledRun(
  needs: Needs,
  records: Records,
  job: Job,
  run: Run,
  reason: string,
): Promise<void> {
  const state = nextRunState(run.state, { type: 'run-cancel', reason })
  if (!state.ok) return
  const task = await records.tasks.find(run.taskId)
  if (task === undefined) throw new Error(`run ${run.id} has lost its task`)
  await closeRun(needs, records, job, run, reason)
  if (run.state.type === 'asking') await voidApproval(needs, records, run.state.approvalId, reason)
  const now = needs.clock.now()
  await records.runs.save(
    { ...withStoppedClock(run, now), state: state.value, endedAt: now },
    {
      audit: { actor: 'engine', action: 'run-cancel', subject: run.id, detail: {} },
      events: [runCancelled(run, task, reason)],
    },
  )
}
