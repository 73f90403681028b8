import type { Attempt } from '../../domain/attempt/attempt.ts'
import { judgeAttempt, type LastWords } from '../../domain/attempt/judge-attempt.ts'
import { readWorkReport } from '../../domain/attempt/read-work-report.ts'
import type { Job } from '../../domain/job/job.ts'
import { SESSION_LIMITS } from '../../domain/limits/session-limits.ts'
import type { Task } from '../../domain/task/task.ts'
import { describeChanges, type WorkChanges } from '../../domain/task/work-changes.ts'
import { textBeforeJson } from '../../domain/text-before-json.ts'
import { withoutUndefined } from '../../domain/without-undefined.ts'
import type { Records } from '../../ports/store/store.ts'
import type { UsableWork } from '../../ports/working-trees.ts'
import type { AdmissionNeeds } from '../admission/decide-starts.ts'
import type { Assignment } from '../assignment.ts'
import { awaitedTask, taskOf } from '../attempts/attempt-task.ts'
import { collectWork, type FailedWork } from '../attempts/collect-work.ts'
import { lastWordsOf } from '../attempts/last-words.ts'
import { queueLanding } from '../attempts/queue-landing.ts'
import { readAnswer, readClosingWords } from '../attempts/read-answer.ts'
import { rejectTask } from '../attempts/reject-task.ts'
import { settleOnce } from '../attempts/settle-attempt.ts'
import { storeLearnings } from '../attempts/store-learnings.ts'
import { storeOutcome } from '../attempts/store-outcome.ts'
import { changesOf, type WholeWork, wholeWork } from '../attempts/whole-work.ts'
import type { EngineNeeds, EngineSettings } from '../engine-needs.ts'
import { workerPrompt } from '../prompts/worker-prompt.ts'

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
  const work = await collectWork(needs, job, attempt)
  if (work.type === 'failed') return reject(needs, attempt, work)
  const [answer, lastWords, closingWords, whole] = await Promise.all([
    readAnswer(needs, attempt),
    lastWordsOf(needs, attempt),
    readClosingWords(needs, attempt),
    wholeWork(needs, job.projectId, attempt.baseCommit ?? job.baseCommit, work),
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

async function reject(needs: Needs, attempt: Attempt, { cause, reason, tip }: FailedWork): Promise<void> {
  await settleOnce(needs, attempt, (records, job, current) => {
    const pinned = tip === undefined ? current : { ...current, tip }
    return rejectTask(needs, records, job, pinned, { cause, reason })
  })
}

type SettleNeeds = Pick<EngineNeeds, 'ids' | 'crash'> &
  AdmissionNeeds & { readonly settings: Pick<EngineSettings, 'usualWork'> }

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

/** Passes finished work on to the merge queue. An agent's claim that it is done isn't enough. */
export async function settleWork(needs: SettleNeeds, records: Records, work: EndedWork): Promise<void> {
  const { job, attempt, whole, answer } = work
  const task = await awaitedTask(records, attempt)
  if (task === undefined || attempt.state.type !== 'ended') {
    return storeOutcome(records, attempt, { type: 'cancelled' })
  }
  const report = readWorkReport(answer, task.successCriteria.length)
  await storeLearnings(records, task, attempt, answer)
  const judgement = judgeAttempt(attempt.state, whole.hasChanged, work.lastWords)
  if (judgement.type === 'rejected') return rejectTask(needs, records, job, attempt, judgement)
  await storeOutcome(records, attempt, { type: 'accepted' })
  const { omissions } = work.collected
  const changes: WorkChanges = {
    ...changesOf(needs, task, whole),
    ...(omissions.length === 0 ? {} : { omissions }),
  }
  const done: Task = {
    ...task,
    resultSummary: (textBeforeJson(report.summary ?? '') || work.closingWords) ?? describeChanges(changes),
    changes,
    criteria: report.criteria,
    filesModified: whole.files,
    commitsMade: whole.commits,
  }
  await queueLanding(needs, records, { job, task: done, attempt, tip: work.collected.tip, omissions })
}

async function promptOf(needs: Needs, job: Job, attempt: Attempt): Promise<string> {
  const task = await taskOf(needs, attempt)
  return workerPrompt({
    description: task.description,
    context: task.context,
    successCriteria: task.successCriteria,
    branch: task.branch,
    goal: job.requestDocument,
    ...withoutUndefined({ lastFailure: task.lastFailure }),
    handoffs: attempt.handoffs,
    boundary: needs.settings.makeBoundary(),
  })
}
