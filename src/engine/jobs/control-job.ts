import { jobResumed } from '../../domain/event/job-events.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { type JobEvent, nextJobState } from '../../domain/job/next-job-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { Run } from '../../domain/run/run.ts'
import type { IllegalTransition } from '../../domain/transition.ts'
import type { Change } from '../../ports/store/change.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { retryUnready } from '../sessions/start/retry-session.ts'
import type { JobControlFailure } from './job-commands.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock'>
type JobChange = { readonly job: Job; readonly change: Change }

/** Lets running work finish and starts nothing new. The job is paused when nothing runs any more. */
export function pauseJob(needs: Needs, jobId: JobId): Promise<Result<Job, JobControlFailure>> {
  return control(needs, jobId, (job, now) =>
    decided(
      job,
      now,
      { type: 'pause-request' },
      {
        follow: [{ type: 'job-advance', jobId }, { type: 'admission-wake' }],
      },
    ),
  )
}

/**
 * Resumes a job in the cycle and phase where it was paused, or takes back a pause that was not reached yet. Sessions whose
 * programs couldn't work try again, whether or not the job was paused.
 */
export async function resumeJob(needs: Needs, jobId: JobId): Promise<Result<Job, JobControlFailure>> {
  const answer = await needs.store.withJob(jobId, async (records, job) => {
    const retried = isJobFinished(job.state) ? 0 : await retryUnready(needs, records, jobId)
    const runs = isJobFinished(job.state) ? [] : await records.runs.listOpen(jobId)
    const resumed = decideResume(job, runs, needs.clock.now())
    if (resumed.ok) return success(await records.jobs.save(resumed.value.job, resumed.value.change))
    // The job itself was running, but sessions of it were not.
    return retried > 0 ? success(job) : resumed
  })
  return answer ?? failure({ type: 'job-not-found', jobId })
}

function decideResume(job: Job, runs: readonly Run[], now: Date): Result<JobChange, IllegalTransition> {
  return decided(
    job,
    now,
    { type: 'job-resume' },
    {
      events: job.state.type === 'paused' ? [jobResumed(job)] : [],
      follow: [
        { type: 'job-advance', jobId: job.id },
        ...runs.map(({ id: runId }) => ({ type: 'run-advance', runId }) as const),
      ],
    },
  )
}

async function control(
  needs: Needs,
  jobId: JobId,
  decide: (job: Job, now: Date) => Result<JobChange, IllegalTransition>,
): Promise<Result<Job, JobControlFailure>> {
  const answer = await needs.store.withJob(jobId, async (records, job) => {
    const decision = decide(job, needs.clock.now())
    if (!decision.ok) return decision
    return success(await records.jobs.save(decision.value.job, decision.value.change))
  })
  return answer ?? failure({ type: 'job-not-found', jobId })
}

function decided(
  job: Job,
  now: Date,
  event: JobEvent,
  change: Pick<Change, 'events' | 'follow'>,
): Result<JobChange, IllegalTransition> {
  const state = nextJobState(job.state, event)
  if (!state.ok) return state
  const audit = { actor: 'person', action: event.type, subject: job.id, detail: {} } as const
  return success({ job: { ...job, state: state.value, updatedAt: now }, change: { ...change, audit } })
}
