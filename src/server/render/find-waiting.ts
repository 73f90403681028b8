import type { WireWaiting } from '../../contract/waiting.ts'
import type { JobId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobOver } from '../../domain/job/job-state.ts'
import type { Session } from '../../domain/session/session.ts'
import type { ServerNeeds } from '../server-needs.ts'
import { findDayLimits } from './find-day-limits.ts'
import { openQuestions } from './open-questions.ts'
import { whatWaits } from './what-waits.ts'

/** The rest of them is in their own list. */
const MOST_APPROVALS = 100

type Needs = Pick<ServerNeeds, 'store' | 'clock'>

/** What waits of these jobs and live sessions; of everybody's approvals where no job is named. */
export async function findWaiting(
  needs: Needs,
  jobs: readonly Job[],
  live: readonly Session[],
  jobId?: JobId,
): Promise<WireWaiting[]> {
  const [approvals, questions, dayLimits] = await Promise.all([
    needs.store.read.approvals.list(
      { isPending: true, ...(jobId === undefined ? {} : { jobId }) },
      MOST_APPROVALS,
    ),
    openQuestions(needs, live),
    findDayLimits(needs, jobs),
  ])
  return whatWaits({ jobs, sessions: live, approvals, questions, dayLimits })
}

/** The same of one job. */
export async function findWaitingOf(needs: Needs, job: Job): Promise<WireWaiting[]> {
  if (isJobOver(job.state)) return []
  return findWaiting(needs, [job], await needs.store.read.sessions.listLive(job.id), job.id)
}
