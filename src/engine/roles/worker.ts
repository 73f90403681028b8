import type { Attempt } from '../../domain/attempt/attempt.ts'
import type { Job } from '../../domain/job/job.ts'
import { GIVE_UP_AFTER_MS } from '../../domain/limits/retry-limits.ts'
import type { Task } from '../../domain/task/task.ts'
import { lastWordsOf } from '../attempts/last-words.ts'
import { pinAttempt } from '../attempts/pin-attempt.ts'
import { readAnswer } from '../attempts/read-answer.ts'
import { rejectTask } from '../attempts/reject-task.ts'
import { settleOnce } from '../attempts/settle-once.ts'
import { wholeWork } from '../attempts/whole-work.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { type WorkerPromptInput, workerPrompt } from '../prompts/worker-prompt.ts'
import { earlierReviews } from '../reviews/earlier-reviews.ts'
import { treeOf } from '../trees/tree-of.ts'
import type { Role } from './role.ts'
import { settleWork } from './settle-work.ts'
import { taskOf } from './task-of.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'trees' | 'history' | 'host' | 'providers' | 'clock' | 'ids' | 'crash' | 'settings'
>

/** Does a task in a tree of its own and leaves commits or files there. */
export function createWorker(needs: Needs): Role {
  return {
    name: 'worker',
    mode: 'write',
    startPatienceMs: 30 * 60_000,
    prompt: (job, attempt) => promptOf(needs, job, attempt),
    settle: (job, attempt) => settle(needs, job, attempt),
  }
}

async function settle(needs: Needs, job: Job, attempt: Attempt): Promise<void> {
  const collected = await pinAttempt(needs, job, attempt)
  if (!collected.ok) return giveUp(needs, attempt, describeFailure(collected.failure))
  needs.crash.reach('attempt-settle.after-collect')
  const copies = collected.value.committedCopies
  const [answer, lastWords, whole] = await Promise.all([
    readAnswer(needs, attempt),
    lastWordsOf(needs, attempt),
    wholeWork(needs, job, attempt, collected.value),
  ])
  await settleOnce(needs, attempt, async (records, locked, current) => {
    const pinned = { ...current, tip: collected.value.tip }
    if (copies.length > 0) {
      const reason = `the agent committed ${copies.slice(0, 3).join(', ')}, copied into its tree and not to land`
      return rejectTask(needs, records, locked, pinned, { cause: 'agent-failed', reason })
    }
    await settleWork(needs, records, {
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

/** Work that cannot be collected is tried again for a while; then the attempt has failed, and its tree is kept. */
async function giveUp(needs: Needs, attempt: Attempt, problem: string): Promise<void> {
  const endedAt = attempt.endedAt?.getTime() ?? 0
  const triedMs = needs.clock.now().getTime() - endedAt
  if (triedMs < GIVE_UP_AFTER_MS) throw new Error(`attempt ${attempt.id} not pinned: ${problem}`)
  const reason = `its work could not be collected (${problem}); it is kept in ${treeOf(needs, attempt.id)}`
  await settleOnce(needs, attempt, (records, job, current) =>
    rejectTask(needs, records, job, current, { cause: 'uncollected', reason }),
  )
}

/** The prompt, from the rows. */
async function promptOf(needs: Needs, job: Job, attempt: Attempt): Promise<string> {
  const task = await taskOf(needs, attempt)
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
