import { assertNever } from '../../domain/assert-never.ts'
import { type Attempt, isAcceptedWork } from '../../domain/attempt/attempt.ts'
import type { LastWords } from '../../domain/attempt/judge-attempt.ts'
import { revisionRequested } from '../../domain/event/task-events.ts'
import type { Job } from '../../domain/job/job.ts'
import { isJobFinished } from '../../domain/job/job-state.ts'
import { failure, type Result } from '../../domain/result.ts'
import { describeIssues } from '../../domain/review/describe-issues.ts'
import { judgeReview } from '../../domain/review/judge-review.ts'
import { readVerdict } from '../../domain/review/read-verdict.ts'
import type { Verdict } from '../../domain/review/verdict.ts'
import { describeEndOf } from '../../domain/session/describe-session-end.ts'
import { mergedCriteria } from '../../domain/task/criterion-result.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import { suggestionFor } from '../../domain/task/suggestion-for.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import type { AdmissionNeeds } from '../admission/decide-starts.ts'
import { awaitedTask } from '../attempts/attempt-task.ts'
import { blockTask } from '../attempts/block-task.ts'
import { queueLanding } from '../attempts/queue-landing.ts'
import { storeOutcome } from '../attempts/store-outcome.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { rejectVerdict } from './reject-verdict.ts'

type Needs = Pick<EngineNeeds, 'ids' | 'crash'> & AdmissionNeeds

export type EndedReview = {
  readonly job: Job
  readonly attempt: Attempt
  readonly answer: unknown
  /** What is wrong with the reviewer's text if it contains no answer. */
  readonly brokenness?: string
  readonly lastWords?: LastWords
}

/** Applies a reviewer's verdict: the work lands, is revised, or waits for a person. */
export async function settleReview(needs: Needs, records: Records, review: EndedReview): Promise<void> {
  const { job, attempt } = review
  const task = await awaitedTask(records, attempt)
  if (task === undefined || isJobFinished(job.state)) {
    return storeOutcome(records, attempt, { type: 'cancelled' })
  }
  const verdict = verdictIn(review, task)
  if (!verdict.ok) return rejectVerdict(needs, records, { job, task, attempt, problem: verdict.failure })
  await storeOutcome(records, attempt, { type: 'accepted', verdict: verdict.value })
  await follow(needs, records, review, task, verdict.value)
}

/** If the reviewer's program failed, its output doesn't count as an answer. */
function verdictIn(
  { attempt, answer, brokenness, lastWords }: EndedReview,
  task: Task,
): Result<Verdict, string> {
  const { state } = attempt
  if (state.type === 'ended' && state.ending !== 'done') {
    const why = lastWords === undefined ? '' : `: ${lastWords.line}`
    return failure(`${describeEndOf('the reviewer', state.end)}${why}`)
  }
  if (answer === undefined) return failure(brokenness ?? 'there was no answer')
  return readVerdict(answer, task.successCriteria.length)
}

async function follow(
  needs: Needs,
  records: Records,
  { job, attempt }: EndedReview,
  task: Task,
  verdict: Verdict,
): Promise<void> {
  const ticked = { ...task, criteria: mergedCriteria(task.criteria, verdict.criteria) }
  const consequence = judgeReview(verdict, task)
  switch (consequence.type) {
    case 'land':
      return landWork(needs, records, job, ticked, attempt)
    case 'revise':
      return reviseTask(records, ticked, attempt, verdict)
    case 'block':
      return blockTask(needs, records, { ...ticked, lastFailure: describeIssues(verdict) }, attempt, {
        type: 'review-reject',
        reason: consequence.reason,
        suggestion: suggestionFor({ type: consequence.cause, taskId: task.id }),
      })
    default:
      return assertNever(consequence)
  }
}

/** Queues the reviewed commit for landing. Nothing of the reviewer's own tree lands. */
async function landWork(
  needs: Needs,
  records: Records,
  job: Job,
  task: Task,
  review: Attempt,
): Promise<void> {
  const attempts = await records.attempts.listOfTask(task.id)
  const attempt = attempts.findLast((tried) => isAcceptedWork(tried) && tried.tip === review.baseCommit)
  if (attempt?.tip === undefined) throw new Error(`review ${review.id} belongs to no work`)
  await queueLanding(needs, records, { job, task, attempt, tip: attempt.tip, omissions: [] })
}

async function reviseTask(records: Records, task: Task, review: Attempt, verdict: Verdict): Promise<void> {
  const state = nextTaskState(task.state, { type: 'review-revise' })
  if (!state.ok) throw new Error(`task ${task.id} cannot be revised from ${task.state.type}`)
  const rounds = task.rounds + 1
  const { baseCommit } = review
  const revised: Task = {
    ...task,
    state: state.value,
    rounds,
    ...(baseCommit === undefined ? {} : { startFrom: baseCommit }),
    lastFailure: describeIssues(verdict),
  }
  await records.tasks.save(revised, {
    audit: { actor: 'engine', action: 'task-revise', subject: task.id, detail: { rounds } },
    events: [revisionRequested(revised, review, verdict)],
    follow: [{ type: 'job-advance', jobId: task.jobId }],
  })
}
