import { attemptRulesOf } from '../../../domain/attempt/attempt-purpose.ts'
import { failure, type Result, success } from '../../../domain/result.ts'
import { attemptIdOf } from '../../../domain/session/session-purpose.ts'
import { findRecord } from '../find-record.ts'
import type { DiffFailure, DiffNeeds, DiffRange } from './work-diff.ts'
import { attemptInProgress, sessionInProgress } from './work-in-progress.ts'

/** What a session changed: the work of its attempt, or of a personal session. */
export async function findSessionRange(
  needs: DiffNeeds,
  id: string,
): Promise<Result<DiffRange, DiffFailure>> {
  const { read } = needs.store
  const session = await findRecord('session', id, (sessionId) => read.sessions.find(sessionId))
  if (!session.ok) return session
  const { purpose } = session.value
  if (purpose.type === 'personal') {
    const inProgress = await sessionInProgress(needs, session.value, purpose)
    return inProgress ?? rangeOf(id, purpose.projectId, purpose)
  }
  const attemptId = attemptIdOf(session.value)
  const attempt = attemptId === undefined ? undefined : await read.attempts.find(attemptId)
  const job = attempt === undefined ? undefined : await read.jobs.find(attempt.jobId)
  if (attempt === undefined || job === undefined || !attemptRulesOf(attempt).makesWork) {
    return failure({ type: 'no-work', subject: id, problem: 'such a session only reads' })
  }
  return (await attemptInProgress(needs, id, job, attempt)) ?? rangeOf(id, job.projectId, attempt)
}

function rangeOf(
  id: string,
  projectId: DiffRange['projectId'],
  { baseCommit: from, tip: to }: { readonly baseCommit?: string; readonly tip?: string },
): Result<DiffRange, DiffFailure> {
  if (from !== undefined && to !== undefined) return success({ projectId, from, to })
  const problem = 'its work is collected after the session has ended, and can be shown then'
  return failure({ type: 'no-work', subject: id, problem })
}
