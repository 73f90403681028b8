import type { Job } from '../../domain/job/job.ts'
import { nextRunState } from '../../domain/run/next-run-state.ts'
import type { Run } from '../../domain/run/run.ts'
import { withStoppedClock } from '../../domain/run/run-clock.ts'
import type { Records } from '../../ports/store/store.ts'
import { closeVisits, stopVisits } from './close-visits.ts'
import type { RunNeeds } from './run-needs.ts'

/** Ends all that goes on in a run: its programs, its open visits, and the runs within it. The caller ends the run. */
export async function closeRun(
  needs: RunNeeds,
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

/** Cancels a run with the runs within it. It can be resumed, because nothing decided it. */
export async function storeCancelledRun(
  needs: RunNeeds,
  records: Records,
  job: Job,
  run: Run,
  reason: string,
): Promise<void> {
  const state = nextRunState(run.state, { type: 'run-cancel', reason })
  if (!state.ok) return
  await closeRun(needs, records, job, run, reason)
  const now = needs.clock.now()
  await records.runs.save(
    { ...withStoppedClock(run, now), state: state.value, endedAt: now },
    { audit: { actor: 'engine', action: 'run-cancel', subject: run.id, detail: {} } },
  )
}
