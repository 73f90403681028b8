import type { CandidateId, TaskId } from '../../domain/id.ts'
import { landingIdsOf } from '../../domain/landing/candidate.ts'
import type { Session } from '../../domain/session/session.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { findAttemptPlace } from './attempt-place.ts'
import type { Tail } from './read-spools.ts'

/** Which task and which cycle a session's lines belong to, and whose budget its costs, where there is one. */
export async function findTailPlace(
  needs: Pick<EngineNeeds, 'store'>,
  { purpose, jobId }: Session,
): Promise<Pick<Tail, 'taskId' | 'cycle' | 'payer'>> {
  const { read } = needs.store
  const attempt = purpose.type === 'attempt' ? await read.attempts.find(purpose.attemptId) : undefined
  const place = attempt === undefined ? {} : await findAttemptPlace(read, attempt)
  const taskId = purpose.type === 'check' ? await findOnlyTask(needs, purpose.candidateId) : undefined
  const job = jobId === undefined ? undefined : await read.jobs.find(jobId)
  const isMetered = job?.plan.limits.budgetUsd !== undefined
  return {
    ...(job === undefined || !isMetered ? {} : { payer: job.id }),
    ...place,
    ...(taskId === undefined ? {} : { taskId }),
  }
}

/** What a check says belongs to the task it is about; where several are checked together, to none of them. */
async function findOnlyTask(
  needs: Pick<EngineNeeds, 'store'>,
  candidateId: CandidateId,
): Promise<TaskId | undefined> {
  const candidate = await needs.store.read.candidates.find(candidateId)
  const [only, ...others] = candidate === undefined ? [] : landingIdsOf(candidate)
  if (only === undefined || others.length > 0) return undefined
  return (await needs.store.read.landings.find(only))?.taskId
}
