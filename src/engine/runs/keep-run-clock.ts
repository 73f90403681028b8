import type { Job } from '../../domain/job/job.ts'
import type { Run } from '../../domain/run/run.ts'
import { withClock } from '../../domain/run/run-clock.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'
import { visitsWaitForPerson } from './waits-for-person.ts'

/**
 * Stops a run's clock while its job is paused or only a person can bring it forward, and starts it again after that. The
 * job's own clock may depend on it, so the job is advanced too. Returns the run as stored.
 */
export async function keepRunClock(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  job: Job,
  { run, visits }: LoadedRun,
): Promise<Run> {
  const isRunning = job.state.type === 'running' && !(await visitsWaitForPerson(records, visits))
  if (isRunning === (run.runningSince !== undefined)) return run
  const action = isRunning ? 'run-clock-start' : 'run-clock-stop'
  return await records.runs.save(withClock(run, isRunning, needs.clock.now()), {
    audit: { actor: 'engine', action, subject: run.id, detail: {} },
    follow: [{ type: 'job-advance', jobId: job.id }],
  })
}
