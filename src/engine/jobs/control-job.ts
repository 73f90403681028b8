import { jobResumed, jobStarted } from '../../domain/event/job-events.ts'
import type { JobId } from '../../domain/id.ts'
import { activeMsOf, type Job } from '../../domain/job/job.ts'
import { type JobEvent, nextJobState } from '../../domain/job/next-job-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import type { IllegalTransition } from '../../domain/transition.ts'
import type { Change } from '../../ports/store/change.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import type { JobControlFailure } from './job-commands.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock'>
type JobChange = { readonly job: Job; readonly change: Change }

/** A person's begin: a pending job starts running. */
export function beginChange(
  job: Job,
  now: Date,
  warnings: readonly string[] = [],
): Result<JobChange, IllegalTransition> {
  const state = nextJobState(job.state, { type: 'job-start' })
  if (!state.ok) return state
  return success({
    job: { ...job, state: state.value, startedAt: now, runningSince: now, updatedAt: now },
    change: {
      audit: { actor: 'person', action: 'job-start', subject: job.id, detail: {} },
      events: [jobStarted(job, warnings)],
      follow: [
        { type: 'job-advance', jobId: job.id },
        { type: 'trees-warm', projectId: job.projectId },
      ],
    },
  })
}

export function beginJob(needs: Needs, jobId: JobId): Promise<Result<Job, JobControlFailure>> {
  return control(needs, jobId, (job, now) => beginChange(job, now))
}

/** Running work ends, nothing new starts; the job is paused when all is quiet. */
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

/** Goes on at the next phase of the same cycle. */
export function resumeJob(needs: Needs, jobId: JobId): Promise<Result<Job, JobControlFailure>> {
  return control(needs, jobId, (job, now) =>
    decided(
      { ...job, runningSince: job.runningSince ?? now },
      now,
      { type: 'job-resume' },
      { events: [jobResumed(job)], follow: [{ type: 'job-advance', jobId }] },
    ),
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

/** The clock of a job stops with it: what it ran is added up, pauses are not counted. */
export function withStoppedClock(job: Job, now: Date): Job {
  const { runningSince: _, ...rest } = job
  return { ...rest, activeMs: activeMsOf(job, now), updatedAt: now }
}
