import { jobCancelled } from '../../domain/event/job-events.ts'
import type { JobId, SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextJobState } from '../../domain/job/next-job-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { abandonQueue } from '../landing/queue/abandon-queue.ts'
import { storeStop } from '../sessions/end/stop-session.ts'
import { withStoppedClock } from './control-job.ts'
import type { JobControlFailure } from './job-commands.ts'

type Needs = Pick<EngineNeeds, 'store' | 'clock' | 'settings'>

/** Ends a job now: nothing more starts or lands, what runs is stopped, and its work is pinned as it ends. */
export async function cancelJob(
  needs: Needs,
  jobId: JobId,
  reason: string,
): Promise<Result<Job, JobControlFailure>> {
  const answer = await needs.store.withJob(jobId, async (records, job) => {
    const state = nextJobState(job.state, { type: 'job-cancel', reason })
    if (!state.ok) return state
    const now = needs.clock.now()
    await abandonWork(needs, records, job, reason)
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
  })
  return answer ?? failure({ type: 'job-not-found', jobId })
}

/**
 * Refuses what waits to land, skips what is not over, and asks every session to stop. What may have moved the branch
 * already is left to the merge queue, which asks git.
 */
async function abandonWork(needs: Needs, records: Records, job: Job, reason: string): Promise<void> {
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

/** The checks of a person's merges: those continue without the job. */
async function checksOfMerges(records: Records, { id }: Job): Promise<readonly SessionId[]> {
  const open = await records.candidates.listOpen(id)
  const merges = open.filter(({ purpose }) => purpose.type === 'merge')
  return merges.flatMap(({ state }) => (state.type === 'checking' ? [state.sessionId] : []))
}
