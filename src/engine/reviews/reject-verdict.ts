import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import { isOutOfTime } from '../../domain/job/reached-limit.ts'
import { RETRY_LIMITS } from '../../domain/limits/retry-limits.ts'
import { type FailureCause, suggestionFor } from '../../domain/task/suggestion-for.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import type { AdmissionNeeds } from '../admission/decide-starts.ts'
import { blockTask } from '../attempts/block-task.ts'
import { storeOutcome } from '../attempts/store-outcome.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { askReviewer } from './ask-reviewer.ts'

type Needs = Pick<EngineNeeds, 'ids' | 'crash'> & AdmissionNeeds

export type UnusableReview = {
  readonly job: Job
  readonly task: Task
  readonly attempt: Attempt
  readonly problem: string
}

/** Asks the reviewer again if its answer has no verdict, and says what was wrong, up to a limit. */
export async function rejectVerdict(needs: Needs, records: Records, review: UnusableReview): Promise<void> {
  const { job, task, attempt, problem } = review
  await storeOutcome(records, attempt, { type: 'rejected', reason: problem })
  const tries = (await records.attempts.listOfTask(task.id)).filter(
    ({ purpose, baseCommit }) => purpose.type === 'review' && baseCommit === attempt.baseCommit,
  ).length
  const isLate = isOutOfTime(job, needs.clock.now())
  if (tries < RETRY_LIMITS.reviewerAnswers && !isLate && attempt.baseCommit !== undefined) {
    return askReviewer(needs, records, { job, task, tip: attempt.baseCommit })
  }
  const reason = isLate
    ? 'the time limit was reached before it was reviewed'
    : `the reviewer gave no usable verdict: ${problem}`
  await blockTask(needs, records, { ...task, lastFailure: reason }, attempt, {
    type: 'review-reject',
    reason,
    suggestion: suggestionFor(causeOf(task, attempt, isLate)),
  })
}

function causeOf(task: Task, { state }: Attempt, isLate: boolean): FailureCause {
  if (isLate) return { type: 'time' }
  const isUnstarted = state.type === 'ended' && state.end.type === 'unstarted'
  return isUnstarted ? { type: 'unstarted' } : { type: 'review-unusable', taskId: task.id }
}
