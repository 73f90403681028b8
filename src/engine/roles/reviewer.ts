import type { Attempt } from '../../domain/attempt/attempt.ts'
import { describeBrokenAnswer } from '../../domain/discovery/broken-answer.ts'
import { goalClauses } from '../../domain/goal/goal-clauses.ts'
import type { Job } from '../../domain/job/job.ts'
import { PROMPT_LIMITS } from '../../domain/limits/prompt-limits.ts'
import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import { earlierReviews } from '../../domain/review/describe-issues.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TreeDiff } from '../../ports/history.ts'
import type { Assignment } from '../assignment.ts'
import { taskOf } from '../attempts/attempt-task.ts'
import { lastWordsOf } from '../attempts/last-words.ts'
import { readAnswer, readAnswerText } from '../attempts/read-answer.ts'
import { settleOnce } from '../attempts/settle-attempt.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { reviewerPrompt } from '../prompts/reviewer-prompt.ts'
import { settleReview } from '../reviews/settle-review.ts'
import { REVIEWER_ANSWER } from './reviewer-answer.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'branches' | 'history' | 'host' | 'providers' | 'clock' | 'ids' | 'crash' | 'settings'
>

/** Judges the work on a task, in a tree of exactly that commit. */
export function createReviewer(needs: Needs): Assignment {
  return {
    mode: 'read',
    startPatienceMs: SESSION_LIMITS.startPatienceMs,
    answer: REVIEWER_ANSWER,
    prompt: (job, attempt) => promptOf(needs, job, attempt),
    settle: (_, attempt) => settle(needs, attempt),
  }
}

async function settle(needs: Needs, attempt: Attempt): Promise<void> {
  const [answer, lastWords] = await Promise.all([readAnswer(needs, attempt), lastWordsOf(needs, attempt)])
  const brokenness = answer === undefined ? await brokennessOf(needs, attempt) : undefined
  await settleOnce(needs, attempt, async (records, job, current) => {
    await settleReview(needs, records, {
      job,
      attempt: current,
      answer,
      ...(brokenness === undefined ? {} : { brokenness }),
      ...(lastWords === undefined ? {} : { lastWords }),
    })
    needs.crash.reach('review.before-verdict')
  })
}

/** What is wrong with the text of a reviewer that contains no answer. */
async function brokennessOf(needs: Needs, attempt: Attempt): Promise<string | undefined> {
  const text = await readAnswerText(needs, attempt)
  if (text === undefined || text.trim() === '') return undefined
  return describeBrokenAnswer(needs.settings.redaction.redact(text), ['"verdict"'])
}

async function promptOf(needs: Needs, job: Job, attempt: Attempt): Promise<string> {
  const task = await taskOf(needs, attempt)
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

/** The diff from the merge base of the branch to the work. */
async function diffOf(needs: Needs, job: Job, attempt: Attempt): Promise<TreeDiff> {
  const { projectId } = job
  const tip = attempt.baseCommit ?? job.baseCommit
  const head = (await needs.branches.tip(projectId, job.workingBranch)) ?? job.baseCommit
  const from = (await needs.history.mergeBase(projectId, head, tip)) ?? job.baseCommit
  const diff = await needs.history.diff(projectId, from, tip, PROMPT_LIMITS.reviewer.patchBytes)
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
