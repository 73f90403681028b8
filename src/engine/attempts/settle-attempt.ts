import { assertNever } from '../../domain/assert-never.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { AttemptId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { describeFailure } from '../describe-failure.ts'
import { settlePlanner } from '../discovery/settle-planner.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { settleReview } from '../reviews/settle-review.ts'
import { treeOfAttempt } from '../sessions/workplace.ts'
import { lastWordsOf } from './last-words.ts'
import { pinAttempt } from './pin-attempt.ts'
import { readAnswer } from './read-answer.ts'
import { rejectTask } from './reject-task.ts'
import { settleTask } from './settle-task.ts'
import { wholeWork } from './whole-work.ts'

type Needs = Pick<
  EngineNeeds,
  | 'store'
  | 'trees'
  | 'branches'
  | 'history'
  | 'commits'
  | 'host'
  | 'providers'
  | 'clock'
  | 'ids'
  | 'crash'
  | 'settings'
>

const PATIENCE_MS = 10 * 60_000

/** Judges what an ended attempt left, and believes only what can be seen. */
export async function settleAttempt(needs: Needs, attemptId: AttemptId): Promise<void> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  const job = attempt === undefined ? undefined : await needs.store.read.jobs.find(attempt.jobId)
  if (attempt === undefined || job === undefined) return
  if (attempt.state.type !== 'ended') return
  switch (attempt.role) {
    case 'planner':
      return settlePlanner(needs, job, attempt)
    case 'reviewer':
      return settleReviewer(needs, attempt)
    case 'worker':
      return settleWorker(needs, job, attempt)
    default:
      return assertNever(attempt.role)
  }
}

async function settleReviewer(needs: Needs, attempt: Attempt): Promise<void> {
  const [answer, lastWords] = await Promise.all([readAnswer(needs, attempt), lastWordsOf(needs, attempt)])
  await needs.store.withJob(attempt.jobId, async (records, job) => {
    const current = await records.attempts.find(attempt.id)
    if (current?.state.type !== 'ended') return
    await settleReview(needs, records, {
      job,
      attempt: current,
      answer,
      ...(lastWords === undefined ? {} : { lastWords }),
    })
    needs.crash.reach('review.before-verdict')
  })
}

async function settleWorker(needs: Needs, job: Job, attempt: Attempt): Promise<void> {
  const collected = await pinAttempt(needs, job, attempt)
  if (!collected.ok) return giveUp(needs, attempt, describeFailure(collected.failure))
  needs.crash.reach('attempt-settle.after-collect')
  const copies = collected.value.committedCopies
  const [answer, lastWords, whole] = await Promise.all([
    readAnswer(needs, attempt),
    lastWordsOf(needs, attempt),
    wholeWork(needs, job, attempt, collected.value),
  ])
  await needs.store.withJob(attempt.jobId, async (records, locked) => {
    const current = await records.attempts.find(attempt.id)
    if (current?.state.type !== 'ended') return
    const pinned = { ...current, tip: collected.value.tip }
    if (copies.length > 0) {
      const reason = `the agent committed ${copies.slice(0, 3).join(', ')}, copied into its tree and not to land`
      return rejectTask(needs, records, locked, pinned, { cause: 'agent-failed', reason })
    }
    await settleTask(needs, records, {
      job: locked,
      attempt: pinned,
      collected: collected.value,
      whole,
      answer,
      ...(lastWords === undefined ? {} : { lastWords }),
    })
    needs.crash.reach('attempt-settle.before-commit')
  })
}

/** What cannot be pinned is tried again for a while; then the attempt has failed, and its tree stays as it is. */
async function giveUp(needs: Needs, attempt: Attempt, problem: string): Promise<void> {
  const endedAt = attempt.endedAt?.getTime() ?? 0
  const triedMs = needs.clock.now().getTime() - endedAt
  if (triedMs < PATIENCE_MS) throw new Error(`attempt ${attempt.id} not pinned: ${problem}`)
  const reason = `its work could not be collected (${problem}); it is kept in ${treeOfAttempt(needs, attempt.id)}`
  await needs.store.withJob(attempt.jobId, async (records, job) => {
    const current = await records.attempts.find(attempt.id)
    if (current?.state.type !== 'ended') return
    await rejectTask(needs, records, job, current, { cause: 'uncollected', reason })
  })
}
