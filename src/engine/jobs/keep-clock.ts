import { activeMsOf, type Job } from '../../domain/job/job.ts'
import type { JobSnapshot } from '../../domain/job/next-step.ts'
import type { Records } from '../../ports/store/store.ts'

/**
 * Stops a running job's clock while it waits for a person, who may take days, and starts it again after that or after a
 * pause. Returns the job as stored.
 */
export async function keepClock(
  records: Records,
  { job, waitsForPerson, now }: Pick<JobSnapshot, 'job' | 'waitsForPerson' | 'now'>,
): Promise<Job> {
  const isStopped = job.runningSince === undefined
  if (isStopped === waitsForPerson) return job
  const kept = waitsForPerson ? withStoppedClock(job, now) : { ...job, runningSince: now, updatedAt: now }
  const action = waitsForPerson ? 'clock-stop' : 'clock-start'
  return await records.jobs.save(kept, { audit: { actor: 'engine', action, subject: job.id, detail: {} } })
}

/** Stops a job's clock: adds its running time up, without pauses. */
export function withStoppedClock(job: Job, now: Date): Job {
  const { runningSince: _, ...rest } = job
  return { ...rest, activeMs: activeMsOf(job, now), updatedAt: now }
}
