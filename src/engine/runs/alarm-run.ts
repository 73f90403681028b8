import type { Job } from '../../domain/job/job.ts'
import { runDeadline } from '../../domain/run/run-limit.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'
import type { RunNeeds } from './run-needs.ts'

/** Has a run advanced again when something becomes due: a visit that waits for its time, or the end of the run's time. */
export function alarmRun(needs: RunNeeds, job: Job, { run, visits, pinned }: LoadedRun): void {
  const deadline = runDeadline(run, pinned.playbook.limits, job)
  const starts = visits.flatMap(({ state }) =>
    state.type === 'waiting' && state.until !== undefined ? [new Date(state.until)] : [],
  )
  const now = needs.clock.now()
  // Whatever is due already waits for something else.
  const [next] = [...starts, ...(deadline === undefined ? [] : [deadline])]
    .filter((at) => at > now)
    .toSorted((one, two) => one.getTime() - two.getTime())
  if (next !== undefined) needs.wakeAt(next, { type: 'run-advance', runId: run.id })
}
