import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Task } from '../../domain/task/task.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type WorkerPromptInput, workerPrompt } from '../prompts/worker-prompt.ts'
import { earlierReviews } from '../reviews/earlier-reviews.ts'

type Needs = Pick<EngineNeeds, 'store' | 'settings'>

/** The whole prompt of a worker, from the rows. */
export async function workerPromptOf(needs: Needs, job: Job, attempt: Attempt, task: Task): Promise<string> {
  return workerPrompt({
    description: task.description,
    context: task.context,
    successCriteria: task.successCriteria,
    branch: task.branch,
    goal: job.requestDocument,
    ...(await pastOf(needs, attempt, task)),
    handoffs: attempt.handoffs,
    boundary: needs.settings.makeBoundary(),
  })
}

/** What came before it: a review that it answers, and a try at that which failed. */
async function pastOf(
  needs: Needs,
  attempt: Attempt,
  task: Task,
): Promise<Pick<WorkerPromptInput, 'lastFailure' | 'revision'>> {
  const failure = task.lastFailure === undefined ? {} : { lastFailure: task.lastFailure }
  if (task.rounds === 0) return failure
  const attempts = await needs.store.read.attempts.listOfTask(task.id)
  const issues = earlierReviews(attempts).at(-1)
  if (issues === undefined) return failure
  const revision = { issues, summary: task.resultSummary ?? '' }
  const last = attempts.findLast(({ purpose, number }) => purpose.type === 'task' && number < attempt.number)
  // After a review the last failure is what the reviewer asks for, unless a try at it has failed since.
  const hasFailed = last?.state.type === 'settled' && last.state.outcome.type === 'rejected'
  return hasFailed ? { ...failure, revision } : { revision }
}
