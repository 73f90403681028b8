import { jobCancelled } from '../../domain/event/job-events.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextJobState } from '../../domain/job/next-job-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { IllegalTransition } from '../../domain/transition.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { closeWork } from './close-work.ts'
import type { JobControlFailure } from './job-commands.ts'
import { withStoppedClock } from './keep-clock.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'settings'>

/**
 * Ends a job now: nothing more starts or lands, and running sessions are stopped. Their work is pinned as they end.
 */
export async function cancelJob(
  needs: Needs,
  jobId: JobId,
  reason?: string,
): Promise<Result<Job, JobControlFailure>> {
  const answer = await needs.store.withJob(jobId, (records, job) => storeCancel(needs, records, job, reason))
  return answer ?? failure({ type: 'job-not-found', jobId })
}

/** The same in the caller's transaction, which holds the job's lock. */
export async function storeCancel(
  needs: Pick<Needs, 'clock' | 'settings'>,
  records: Records,
  job: Job,
  reason?: string,
): Promise<Result<Job, IllegalTransition>> {
  const jobId = job.id
  const state = nextJobState(job.state, {
    type: 'job-cancel',
    ...(reason === undefined ? {} : { reason }),
  })
  if (!state.ok) return state
  const now = needs.clock.now()
  await closeWork(needs, records, job, reason ?? 'the job was cancelled', 'everything')
  const cancelled = { ...withStoppedClock(job, now), state: state.value, completedAt: now }
  return success(
    await records.jobs.save(cancelled, {
      audit: { actor: 'person', action: 'job-cancel', subject: jobId, detail: {} },
      events: [jobCancelled(job, reason)],
      follow: [
        { type: 'landing-advance', jobId },
        { type: 'admission-wake' },
        { type: 'job-deliver', jobId },
        { type: 'trees-warm', projectId: job.projectId },
      ],
    }),
  )
}
