import { jobCancelled } from '../../domain/event/job-events.ts'
import type { JobId, SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextJobState } from '../../domain/job/next-job-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { IllegalTransition } from '../../domain/transition.ts'
import type { Records } from '../../ports/store/store.ts'
import { releaseBaseline } from '../baselines/release-baseline.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { abandonQueue } from '../landing/queue/abandon-queue.ts'
import { failWaitingMessages } from '../receipts/fail-messages.ts'
import { storeStop } from '../sessions/end/stop-session.ts'
import { withStoppedClock } from './control-job.ts'
import type { JobControlFailure } from './job-commands.ts'

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
  await abandonWork(needs, records, job, reason ?? 'the job was cancelled')
  await releaseBaseline(needs, records, job)
  await failWaitingMessages(records, jobId, now)
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

/**
 * Abandons work that waits to land, skips unfinished tasks, and asks every session to stop. A landing that may have
 * moved the branch already is left to the merge queue, which asks git.
 */
async function abandonWork(
  needs: Pick<Needs, 'clock' | 'settings'>,
  records: Records,
  job: Job,
  reason: string,
): Promise<void> {
  const undecided = await abandonQueue(needs, records, job, reason)
  for (const task of await records.tasks.listOfJob(job.id)) {
    if (task.state.type === 'landing' && undecided.includes(task.state.landingId)) continue
    const state = nextTaskState(task.state, { type: 'task-skip', reason })
    if (!state.ok) continue
    await records.tasks.save(
      { ...task, state: state.value, completedAt: needs.clock.now() },
      { audit: { actor: 'engine', action: 'task-skip', subject: task.id, detail: {} } },
    )
  }
  const kept = await checksOfMerges(records, job)
  for (const session of await records.sessions.listLive(job.id)) {
    if (kept.includes(session.id)) continue
    await storeStop(needs, records, session, { type: 'cancelled', reason })
  }
}

/** The checks of a person's merges, which continue without the job. */
async function checksOfMerges(records: Records, { id }: Job): Promise<readonly SessionId[]> {
  const open = await records.candidates.listOpen(id)
  const merges = open.filter(({ purpose }) => purpose.type === 'merge')
  return merges.flatMap(({ state }) => (state.type === 'checking' ? [state.sessionId] : []))
}
