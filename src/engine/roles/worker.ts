import type { Attempt } from '../../domain/attempt/attempt.ts'
import { judgeAttempt, type LastWords } from '../../domain/attempt/judge-attempt.ts'
import { readWorkReport } from '../../domain/attempt/read-work-report.ts'
import { appendedLearnings } from '../../domain/cycle/learnings.ts'
import type { Job } from '../../domain/job/job.ts'
import { findUnusual } from '../../domain/landing/unusual-work.ts'
import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import type { GitFailure } from '../../domain/repository/repository-failure.ts'
import { earlierReviews } from '../../domain/review/describe-issues.ts'
import type { Task } from '../../domain/task/task.ts'
import { describeChanges, type WorkChanges } from '../../domain/task/work-changes.ts'
import type { Records } from '../../ports/store/store.ts'
import type { RefusedWork, UsableWork } from '../../ports/working-trees.ts'
import type { AdmissionNeeds } from '../admission/decide-starts.ts'
import type { Assignment } from '../assignment.ts'
import { awaitedTask, taskOf } from '../attempts/attempt-task.ts'
import { lastWordsOf } from '../attempts/last-words.ts'
import { mayPinLater, pinAttempt } from '../attempts/pin-attempt.ts'
import { queueLanding } from '../attempts/queue-landing.ts'
import { readAnswer, readClosingWords } from '../attempts/read-answer.ts'
import { rejectTask } from '../attempts/reject-task.ts'
import { settleOnce } from '../attempts/settle-attempt.ts'
import { storeOutcome } from '../attempts/store-outcome.ts'
import { type WholeWork, wholeWork } from '../attempts/whole-work.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds, EngineSettings } from '../engine-needs.ts'
import { type WorkerPromptInput, workerPrompt } from '../prompts/worker-prompt.ts'
import { askReviewer } from '../reviews/ask-reviewer.ts'
import { treeOf } from '../trees/tree-of.ts'

type Needs = Pick<
  EngineNeeds,
  'store' | 'trees' | 'history' | 'host' | 'providers' | 'clock' | 'ids' | 'crash' | 'settings'
>

/** Does a task in its own tree and leaves commits or files there. */
export function createWorker(needs: Needs): Assignment {
  return {
    mode: 'write',
    startPatienceMs: SESSION_LIMITS.startPatienceMs,
    prompt: (job, attempt) => promptOf(needs, job, attempt),
    settle: (job, attempt) => settle(needs, job, attempt),
  }
}

async function settle(needs: Needs, job: Job, attempt: Attempt): Promise<void> {
  const collected = await pinAttempt(needs, job, attempt)
  if (!collected.ok) return giveUp(needs, attempt, collected.failure)
  needs.crash.reach('attempt-settle.after-collect')
  const work = collected.value
  if (work.type === 'refused') return refuse(needs, attempt, work)
  const [answer, lastWords, closingWords, whole] = await Promise.all([
    readAnswer(needs, attempt),
    lastWordsOf(needs, attempt),
    readClosingWords(needs, attempt),
    wholeWork(needs, job, attempt, work),
  ])
  await settleOnce(needs, attempt, async (records, locked, current) => {
    await settleWork(needs, records, {
      job: locked,
      attempt: { ...current, tip: work.tip },
      collected: work,
      whole,
      answer,
      ...(lastWords === undefined ? {} : { lastWords }),
      ...(closingWords === undefined ? {} : { closingWords }),
    })
    needs.crash.reach('attempt-settle.before-commit')
  })
}

async function refuse(needs: Needs, attempt: Attempt, { tip, reason }: RefusedWork): Promise<void> {
  await settleOnce(needs, attempt, (records, job, current) =>
    rejectTask(needs, records, job, { ...current, tip }, { cause: 'refused', reason }),
  )
}

type UsualNeeds = { readonly settings: Pick<EngineSettings, 'usualWork'> }
type SettleNeeds = Pick<EngineNeeds, 'ids' | 'crash'> & AdmissionNeeds & UsualNeeds

type EndedWork = {
  readonly job: Job
  readonly attempt: Attempt
  readonly collected: UsableWork
  readonly whole: WholeWork
  readonly answer: unknown
  readonly lastWords?: LastWords
  /** What the agent said at the end, used if its answer has no summary. */
  readonly closingWords?: string
}

/** Passes finished work on to a reviewer or the merge queue. An agent's claim that it is done isn't enough. */
export async function settleWork(needs: SettleNeeds, records: Records, work: EndedWork): Promise<void> {
  const { job, attempt, whole, answer } = work
  const task = await awaitedTask(records, attempt)
  if (task === undefined || attempt.state.type !== 'ended') {
    return storeOutcome(records, attempt, { type: 'cancelled' })
  }
  const report = readWorkReport(answer, task.successCriteria.length)
  await storeLearnings(records, task, attempt, report.learnings)
  const judgement = judgeAttempt(attempt.state, whole.hasChanged, work.lastWords)
  if (judgement.type === 'rejected') return rejectTask(needs, records, job, attempt, judgement)
  await storeOutcome(records, attempt, { type: 'accepted' })
  const changes = changesOf(needs, task, whole)
  const done: Task = {
    ...task,
    resultSummary: report.summary ?? work.closingWords ?? describeChanges(changes),
    changes,
    criteria: report.criteria,
    filesModified: whole.files,
    commitsMade: whole.commits,
  }
  await passOn(needs, records, done, work)
}

/** Work that can't be measured is so large that a person must see it. */
function changesOf({ settings }: UsualNeeds, task: Task, { size, files }: WholeWork): WorkChanges {
  if (size === undefined) {
    return {
      files: files.length,
      added: 0,
      removed: 0,
      unusual: ['git could not measure how much it changes'],
    }
  }
  const unusual = findUnusual(size, settings.usualWork, task)
  return { files: size.files, added: size.added, removed: size.removed, unusual }
}

async function passOn(needs: SettleNeeds, records: Records, task: Task, work: EndedWork): Promise<void> {
  const { job, attempt, collected } = work
  const { tip, omissions } = collected
  if (job.plan.reviewer === undefined) {
    return queueLanding(needs, records, { job, task, attempt, tip, omissions })
  }
  await askReviewer(needs, records, { job, task, tip, omissions })
}

/** Stores an agent's learnings with its cycle, for later agents. */
async function storeLearnings(
  records: Records,
  task: Task,
  attempt: Attempt,
  learnt: readonly string[],
): Promise<void> {
  if (learnt.length === 0) return
  const cycle = await records.cycles.find(task.cycleId)
  if (cycle === undefined) return
  const learnings = appendedLearnings(cycle.learnings, learnt)
  if (learnings === undefined || learnings === cycle.learnings) return
  await records.cycles.save(
    { ...cycle, learnings },
    {
      audit: {
        actor: 'engine',
        action: 'cycle-learn',
        subject: cycle.id,
        detail: { attempt: attempt.id },
      },
    },
  )
}

/**
 * Retries work that cannot be collected for a while, unless that can't help. After that the attempt has failed, and its
 * tree is kept.
 */
async function giveUp(needs: Needs, attempt: Attempt, failed: GitFailure): Promise<void> {
  const problem = describeFailure(failed)
  if (mayPinLater(needs, attempt, failed))
    throw new Error(`attempt ${attempt.id} could not be pinned: ${problem}`)
  const reason = `its work could not be collected (${problem}); it is kept in ${treeOf(needs, attempt.id)}`
  await settleOnce(needs, attempt, (records, job, current) =>
    rejectTask(needs, records, job, current, { cause: 'uncollected', reason }),
  )
}

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

/** What came before: the review that this attempt answers, and an earlier attempt at it that failed. */
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
  // After a review, the last failure is the reviewer's request, unless an attempt has failed since.
  const hasFailed = last?.state.type === 'settled' && last.state.outcome.type === 'rejected'
  return hasFailed ? { ...failure, revision } : { revision }
}
