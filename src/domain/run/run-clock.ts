import { activeMsOf } from '../job/job.ts'
import type { Run } from './run.ts'

/** The run with its clock stopped: its running time is added up. */
export function withStoppedClock(run: Run, now: Date): Run {
  const { runningSince: _, ...rest } = run
  return { ...rest, activeMs: activeMsOf(run, now) }
}

/** The run with its clock running, or not. */
export function withClock(run: Run, isRunning: boolean, now: Date): Run {
  if (!isRunning) return withStoppedClock(run, now)
  return run.runningSince === undefined ? { ...run, runningSince: now } : run
}
