import { assertNever } from '../../domain/assert-never.ts'
import type { AttemptId, JobId } from '../../domain/id.ts'
import type { Session } from '../../domain/session/session.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { onlyReads } from './only-reads.ts'

type Needs = Pick<EngineNeeds, 'store'>

/**
 * The setup commands that run before a session's program: those of its project when it is the first in a new
 * tree where there is work or a check to do, else none.
 */
export async function setupFor(needs: Needs, session: Session): Promise<readonly string[]> {
  const { purpose, life, jobId } = session
  if (life > 1) return []
  switch (purpose.type) {
    case 'standing':
      return purpose.setup ?? []
    case 'attempt':
      return (await isFirstToWork(needs, purpose.attemptId)) ? await setupOfJob(needs, jobId) : []
    case 'check':
      return purpose.isFresh ? await setupOfJob(needs, jobId) : []
    case 'query':
      return []
    default:
      return assertNever(purpose)
  }
}

async function isFirstToWork(needs: Needs, attemptId: AttemptId): Promise<boolean> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  return attempt !== undefined && attempt.handoffs.length === 0 && !onlyReads(attempt.role)
}

async function setupOfJob(needs: Needs, jobId: JobId | undefined): Promise<readonly string[]> {
  const job = jobId === undefined ? undefined : await needs.store.read.jobs.find(jobId)
  return job?.plan.setup ?? []
}
