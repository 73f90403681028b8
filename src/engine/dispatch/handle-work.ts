import { assertNever } from '../../domain/assert-never.ts'
import { RETRY_LIMITS } from '../../domain/limits/retry-limits.ts'
import { StaleRecordError } from '../../ports/store/store.ts'
import type { Work, WorkType } from '../../ports/work-queue.ts'
import { wakeWaiting } from '../admission/wake-waiting.ts'
import { expireApproval } from '../approvals/decide-approval.ts'
import { clearAttempt } from '../attempts/clear-attempt.ts'
import { settleAttempt } from '../attempts/settle-attempt.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { advanceJob } from '../jobs/advance-job.ts'
import { deliverLeftWork } from '../jobs/deliver-work.ts'
import { updateCycle } from '../jobs/update-cycle.ts'
import { advanceLanding } from '../landing/advance-landing.ts'
import { followBase } from '../landing/candidate/follow-base.ts'
import { clearSession } from '../sessions/clear-session.ts'
import { resumeSession } from '../sessions/resume-session.ts'
import { startSession } from '../sessions/start-session.ts'
import { stopSession } from '../sessions/stop-session.ts'
import { warmTrees } from '../trees/warm-trees.ts'

/**
 * Work that does one thing to one row: while it is being done, doing it again is of no use, and the reconciler's
 * repeats of a slow one must not fill the lane. Advances are left out: each may see something new.
 */
const ONCE_AT_A_TIME: ReadonlySet<WorkType> = new Set([
  'attempt-settle',
  'attempt-clear',
  'base-follow',
  'session-stop',
  'session-resume',
  'session-start',
  'session-clear',
  'cycle-update',
  'trees-warm',
])

/** Handles work, leaving out repeats of what is under way in this process. */
export function createWorkHandler(needs: EngineNeeds): (work: Work) => Promise<void> {
  const underWay = new Set<string>()
  return async (work) => {
    const key = JSON.stringify(work)
    if (!ONCE_AT_A_TIME.has(work.type)) return handleWork(needs, work)
    if (underWay.has(key)) return
    underWay.add(key)
    try {
      await handleWork(needs, work)
    } finally {
      underWay.delete(key)
    }
  }
}

/** Does one piece of work. A row that moved on while it was being worked on is read again at once. */
async function handleWork(needs: EngineNeeds, work: Work): Promise<void> {
  for (let read = 1; ; read += 1) {
    try {
      return await route(needs, work)
    } catch (error) {
      if (!(error instanceof StaleRecordError) || read >= RETRY_LIMITS.staleReads) {
        needs.log.warn({ work, error: String(error) }, 'work failed and will be tried again')
        throw error
      }
    }
  }
}

function route(needs: EngineNeeds, work: Work): Promise<void> {
  switch (work.type) {
    case 'job-advance':
      return advanceJob(needs, work.jobId)
    case 'admission-wake':
      return wakeWaiting(needs)
    case 'attempt-settle':
      return settleAttempt(needs, work.attemptId)
    case 'attempt-clear':
      return clearAttempt(needs, work.attemptId)
    case 'landing-advance':
      return advanceLanding(needs, work.jobId)
    case 'base-follow':
      return followBase(needs, work.jobId)
    case 'session-stop':
      return stopSession(needs, work.sessionId)
    case 'session-resume':
      return resumeSession(needs, work.sessionId)
    case 'session-start':
      return startSession(needs, work.sessionId)
    case 'session-clear':
      return clearSession(needs, work.sessionId)
    case 'approval-expire':
      return expireApproval(needs, work.approvalId)
    case 'cycle-update':
      return updateCycle(needs, work.cycleId)
    case 'job-deliver':
      return deliverLeftWork(needs, work.jobId)
    case 'trees-warm':
      return warmTrees(needs, work.projectId)
    default:
      return assertNever(work)
  }
}
