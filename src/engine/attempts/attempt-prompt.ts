import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Task } from '../../domain/task/task.ts'
import { plannerPromptOf } from '../discovery/planner-prompt-of.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { reviewerPromptOf } from '../reviews/reviewer-prompt-of.ts'
import { workerPromptOf } from './worker-prompt-of.ts'

type Needs = Pick<EngineNeeds, 'store' | 'branches' | 'history' | 'settings'>

/** The whole prompt of an attempt, from the rows and the commit it starts from. */
export async function promptOf(
  needs: Needs,
  job: Job,
  attempt: Attempt,
  task: Task | undefined,
): Promise<string> {
  if (attempt.role === 'planner') return plannerPromptOf(needs, job, attempt)
  if (task === undefined) throw new Error(`attempt ${attempt.id} of a ${attempt.role} has no task`)
  return attempt.role === 'reviewer'
    ? reviewerPromptOf(needs, job, attempt, task)
    : workerPromptOf(needs, job, attempt, task)
}
