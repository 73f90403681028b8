import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextJobState } from '../../domain/job/next-job-state.ts'
import { nextLandingState } from '../../domain/landing/next-landing-state.ts'
import { failure, type Result, success } from '../../domain/result.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { storeStop } from '../sessions/stop-session.ts'
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
        events: [{ type: 'job_cancelled', jobId, data: { reason } }],
        follow: [
          { type: 'landing-advance', jobId },
          { type: 'job-deliver', jobId },
        ],
      }),
    )
  })
  return answer ?? failure({ type: 'job-not-found', jobId })
}

/**
 * Skips what is not over, refuses what waits to land, and asks every session to stop. A landing whose checks
 * have passed may have moved the branch already: git knows, and the merge queue asks it.
 */
async function abandonWork(needs: Needs, records: Records, job: Job, reason: string): Promise<void> {
  const now = needs.clock.now()
  const open = await records.landings.listOpen(job.id)
  const undecided = open.filter((landing) => landing.state.type === 'checked')
  for (const task of await records.tasks.listOfJob(job.id)) {
    if (undecided.some((landing) => landing.taskId === task.id)) continue
    const state = nextTaskState(task.state, { type: 'task-skip', reason })
    if (!state.ok) continue
    await records.tasks.save(
      { ...task, state: state.value, completedAt: now },
      { audit: { actor: 'engine', action: 'task-skip', subject: task.id, detail: {} } },
    )
  }
  for (const landing of open.filter((candidate) => !undecided.includes(candidate))) {
    const state = nextLandingState(landing.state, { type: 'landing-reject', reason })
    if (!state.ok) continue
    await records.landings.save(
      { ...landing, state: state.value, endedAt: now },
      { audit: { actor: 'engine', action: 'landing-reject', subject: landing.id, detail: {} } },
    )
  }
  for (const session of await records.sessions.listLive(job.id)) {
    await storeStop(needs, records, session, { type: 'cancelled', reason })
  }
}
