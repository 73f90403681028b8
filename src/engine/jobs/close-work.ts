import type { LandingId, SessionId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { rulesOf } from '../../domain/session/session-purpose.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Records } from '../../ports/store/store.ts'
import { releaseBaseline } from '../baselines/release-baseline.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { abandonQueue } from '../landing/queue/abandon-queue.ts'
import { failWaitingMessages } from '../receipts/fail-messages.ts'
import { storeStop } from '../sessions/end/stop-session.ts'
import { closeRuns } from './close-runs.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'settings'>

/**
 * `everything`: also questions to the job's sessions, because a person wants the job to stop. `work`: a question can
 * still be answered after the job has ended.
 */
export type CloseExtent = 'everything' | 'work'

/**
 * Ends everything that is open in a job, in the transaction that ends the job: work that waits to land, unfinished
 * tasks, runs, sessions, the check of its base, and messages that nobody will read. A landing that may have moved the
 * branch already is left to the merge queue, which asks git.
 */
export async function closeWork(
  needs: Needs,
  records: Records,
  job: Job,
  reason: string,
  extent: CloseExtent = 'work',
): Promise<void> {
  const undecided = await abandonQueue(needs, records, job, reason)
  await skipTasks(needs, records, job, reason, undecided)
  await closeRuns(needs, records, job, reason)
  await stopSessions(needs, records, job, reason, extent)
  await releaseBaseline(needs, records, job)
  await failWaitingMessages(records, job.id, needs.clock.now())
}

async function skipTasks(
  needs: Needs,
  records: Records,
  job: Job,
  reason: string,
  undecided: readonly LandingId[],
): Promise<void> {
  for (const task of await records.tasks.listOfJob(job.id)) {
    if (task.state.type === 'landing' && undecided.includes(task.state.landingId)) continue
    const state = nextTaskState(task.state, { type: 'task-skip', reason })
    if (!state.ok) continue
    await records.tasks.save(
      { ...task, state: state.value, completedAt: needs.clock.now() },
      { audit: { actor: 'engine', action: 'task-skip', subject: task.id, detail: {} } },
    )
  }
}

async function stopSessions(
  needs: Needs,
  records: Records,
  job: Job,
  reason: string,
  extent: CloseExtent,
): Promise<void> {
  const kept = await checksOfMerges(records, job)
  for (const session of await records.sessions.listLive(job.id)) {
    const mustEnd = extent === 'everything' || rulesOf(session).endsWithJob
    if (!mustEnd || kept.includes(session.id)) continue
    await storeStop(needs, records, session, { type: 'cancelled', reason })
  }
}

/** The checks of a person's merges, which continue without the job. */
async function checksOfMerges(records: Records, { id }: Job): Promise<readonly SessionId[]> {
  const open = await records.candidates.listOpen(id)
  const merges = open.filter(({ purpose }) => purpose.type === 'merge')
  return merges.flatMap(({ state }) => (state.type === 'checking' ? [state.sessionId] : []))
}
