import type { AttemptId, JobId } from '../../domain/id.ts'
import { RETRY_LIMITS } from '../../domain/limits/retry-limits.ts'
import { StaleRecordError } from '../../ports/store/store.ts'
import type { Work, WorkType } from '../../ports/work-queue.ts'
import { wakeWaiting } from '../admission/wake-waiting.ts'
import { expireApproval } from '../approvals/decide-approval.ts'
import { clearSettledAttempt } from '../attempts/clear-attempt.ts'
import { settleAttempt } from '../attempts/settle-attempt.ts'
import { advanceBaseline } from '../baselines/advance-baseline.ts'
import { finishDeletion } from '../cleanup/finish-deletion.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { advanceJob } from '../jobs/advance-job.ts'
import { deliverLeftWork } from '../jobs/deliver-work.ts'
import { updateCycle } from '../jobs/update-cycle.ts'
import { advanceLanding } from '../landing/advance-landing.ts'
import { followBase } from '../landing/candidate/follow-base.ts'
import { expireMessage } from '../messages/expire-message.ts'
import { advanceVisit } from '../runs/advance-visit.ts'
import { continueRun } from '../runs/continue-run.ts'
import { clearSession } from '../sessions/end/clear-session.ts'
import { giveUpSession } from '../sessions/end/give-up-session.ts'
import { stopSession } from '../sessions/end/stop-session.ts'
import { resumeSession } from '../sessions/start/resume-session.ts'
import { startSession } from '../sessions/start/start-session.ts'
import { warmTrees } from '../trees/warm-trees.ts'
import { oneAtATime } from './one-at-a-time.ts'

/**
 * Whether only one handler should do this work at a time. Two would wait for the same lock, or do the same thing to the
 * same row. If it is sent again meanwhile, it is done once more, so nothing new is missed.
 */
const ONCE_AT_A_TIME: Readonly<Record<WorkType, boolean>> = {
  'job-advance': true,
  'admission-wake': true,
  'attempt-settle': true,
  'attempt-clear': true,
  'landing-advance': true,
  'base-follow': true,
  'baseline-advance': true,
  'run-advance': true,
  'visit-advance': true,
  'session-stop': true,
  'session-give-up': true,
  'session-resume': true,
  'session-start': true,
  'session-clear': true,
  'approval-expire': false,
  'message-expire': true,
  'cycle-update': true,
  'job-deliver': false,
  'deletion-finish': true,
  'trees-warm': true,
}

/** `mayRun` is called before all work and throws if this process must not act. */
export function createWorkHandler(needs: EngineNeeds, mayRun: () => void): (work: Work) => Promise<void> {
  const handle = async (work: Work) => {
    mayRun()
    await handleWork(needs, work, handleAlone)
  }
  const handleAlone = oneAtATime<Work>(JSON.stringify, handle)
  return (work) => (ONCE_AT_A_TIME[work.type] ? handleAlone(work) : handle(work))
}

type Handle = (work: Work) => Promise<void>

/** Does one piece of work. If a row changed meanwhile, the work is repeated at once with the new row. */
async function handleWork(needs: EngineNeeds, work: Work, handleAlone: Handle): Promise<void> {
  for (let read = 1; ; read += 1) {
    try {
      return await route(needs, work, handleAlone)
    } catch (error) {
      if (!(error instanceof StaleRecordError) || read >= RETRY_LIMITS.staleReads) {
        needs.log.warn({ work, error: String(error) }, 'work failed and will be retried')
        throw error
      }
    }
  }
}

/** Judges the work of an ended attempt and, if it is accepted, advances the merge queue at once. */
async function settleAndLand(needs: EngineNeeds, attemptId: AttemptId, handleAlone: Handle): Promise<void> {
  const jobId = await settleAttempt(needs, attemptId)
  needs.crash.reach('attempt-settle.after-commit')
  if (jobId !== undefined) await handleAlone({ type: 'landing-advance', jobId })
}

/** Advances a job. While that fails, whatever else waits goes first. */
async function advanceOrStall(needs: EngineNeeds, jobId: JobId): Promise<void> {
  const { stalledJobs } = needs.settings
  try {
    await advanceJob(needs, jobId)
    // Those that were passed over may start now.
    if (stalledJobs.delete(jobId)) await needs.sendWork({ type: 'admission-wake' })
  } catch (error) {
    if (!(error instanceof StaleRecordError) && !stalledJobs.has(jobId)) {
      stalledJobs.add(jobId)
      await needs.sendWork({ type: 'admission-wake' })
    }
    throw error
  }
}

function route(needs: EngineNeeds, work: Work, handleAlone: Handle): Promise<void> {
  switch (work.type) {
    case 'job-advance':
      return advanceOrStall(needs, work.jobId)
    case 'admission-wake':
      return wakeWaiting(needs)
    case 'attempt-settle':
      return settleAndLand(needs, work.attemptId, handleAlone)
    case 'attempt-clear':
      return clearSettledAttempt(needs, work.attemptId)
    case 'landing-advance':
      return advanceLanding(needs, work.jobId)
    case 'base-follow':
      return followBase(needs, work.jobId)
    case 'baseline-advance':
      return advanceBaseline(needs, work.baselineId)
    case 'run-advance':
      return continueRun(needs, work.runId)
    case 'visit-advance':
      return advanceVisit(needs, work.visitId)
    case 'session-stop':
      return stopSession(needs, work.sessionId)
    case 'session-give-up':
      return giveUpSession(needs, work)
    case 'session-resume':
      return resumeSession(needs, work.sessionId)
    case 'session-start':
      return startSession(needs, work.sessionId)
    case 'session-clear':
      return clearSession(needs, work.sessionId)
    case 'approval-expire':
      return expireApproval(needs, work.approvalId)
    case 'message-expire':
      return expireMessage(needs, work.messageId)
    case 'cycle-update':
      return updateCycle(needs, work.cycleId)
    case 'job-deliver':
      return deliverLeftWork(needs, work.jobId)
    case 'deletion-finish':
      return finishDeletion(needs, work.jobId).then(() => undefined)
    case 'trees-warm':
      return warmTrees(needs, work.projectId)
    default:
      // Stored by an older version under a name that no longer exists. The reconciler sends what the row needs now.
      needs.log.warn({ work: work satisfies never }, 'work of an unknown type was ignored')
      return Promise.resolve()
  }
}
