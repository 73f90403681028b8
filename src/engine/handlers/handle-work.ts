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
import { clearSession } from '../sessions/end/clear-session.ts'
import { stopSession } from '../sessions/end/stop-session.ts'
import { resumeSession } from '../sessions/start/resume-session.ts'
import { startSession } from '../sessions/start/start-session.ts'
import { warmTrees } from '../trees/warm-trees.ts'
import { oneAtATime } from './one-at-a-time.ts'

/**
 * Work that does one thing to one row, so that only one handler should be at it. Advances are left out: each may see
 * something new.
 */
const ONCE_AT_A_TIME: ReadonlySet<WorkType> = new Set([
  'admission-wake',
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

/** `mayRun` is asked before every run and throws when this process must not act. */
export function createWorkHandler(needs: EngineNeeds, mayRun: () => void): (work: Work) => Promise<void> {
  const handle = async (work: Work) => {
    mayRun()
    await handleWork(needs, work)
  }
  const handleAlone = oneAtATime<Work>(JSON.stringify, handle)
  return (work) => (ONCE_AT_A_TIME.has(work.type) ? handleAlone(work) : handle(work))
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
      // Stored by an older version, under a name that is gone. The reconciler sends what its row needs now.
      needs.log.warn({ work: work satisfies never }, 'work of an unknown type was left out')
      return Promise.resolve()
  }
}
