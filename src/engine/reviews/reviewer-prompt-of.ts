import type { Attempt } from '../../domain/attempt/attempt.ts'
import { goalClauses } from '../../domain/goal/goal-clauses.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TreeDiff } from '../../ports/history.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { reviewerPrompt } from '../prompts/reviewer-prompt.ts'
import { earlierReviews } from './earlier-reviews.ts'

type Needs = Pick<EngineNeeds, 'store' | 'branches' | 'history' | 'settings'>

const PATCH_BYTES = 60_000

/** The whole prompt of a reviewer, from the rows and the commit it looks at. */
export async function reviewerPromptOf(
  needs: Needs,
  job: Job,
  attempt: Attempt,
  task: Task,
): Promise<string> {
  const [attempts, diff] = await Promise.all([
    needs.store.read.attempts.listOfTask(task.id),
    diffOf(needs, job, attempt),
  ])
  const reviews = attempts.filter(
    ({ purpose, number }) => purpose.type === 'review' && number < attempt.number,
  )
  const clauses = goalClauses(job.requestDocument)
  const problem = problemBefore(reviews.at(-1), attempt)
  return reviewerPrompt({
    description: task.description,
    context: task.context,
    successCriteria: task.successCriteria,
    clauses: task.clauses.flatMap((number) => clauses[number - 1] ?? []),
    claim: claimOf(task),
    ...diff,
    earlierRounds: earlierReviews(reviews),
    ...(problem === undefined ? {} : { previousProblem: problem }),
    boundary: needs.settings.makeBoundary(),
  })
}

/** All that would come in: against where the work and the branch parted. */
async function diffOf(needs: Needs, job: Job, attempt: Attempt): Promise<TreeDiff> {
  const { projectId } = job
  const tip = attempt.baseCommit ?? job.baseCommit
  const head = (await needs.branches.tip(projectId, job.workingBranch)) ?? job.baseCommit
  const from = (await needs.history.mergeBase(projectId, head, tip)) ?? job.baseCommit
  const diff = await needs.history.diff(projectId, from, tip, PATCH_BYTES)
  if (!diff.ok) throw new Error(`the work could not be compared: ${JSON.stringify(diff.failure)}`)
  return diff.value
}

/** What was wrong with the answer about the same work, if this is not the first time it is asked for. */
function problemBefore(last: Attempt | undefined, attempt: Attempt): string | undefined {
  if (last?.state.type !== 'settled' || last.baseCommit !== attempt.baseCommit) return undefined
  return last.state.outcome.type === 'rejected' ? last.state.outcome.reason : undefined
}

function claimOf(task: Task): string {
  const criteria = task.criteria
    .filter(({ by }) => by === 'worker')
    .map(({ number, evidence }) => `Criterion ${number}: ${evidence === '' ? 'met' : evidence}`)
  return [task.resultSummary ?? '', ...criteria].filter((line) => line !== '').join('\n')
}
