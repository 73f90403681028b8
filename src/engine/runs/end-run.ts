import { assertNever } from '../../domain/assert-never.ts'
import type { Attempt } from '../../domain/attempt/attempt.ts'
import { attemptRulesOf } from '../../domain/attempt/attempt-purpose.ts'
import { taskFailed } from '../../domain/event/task-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { RunEnd } from '../../domain/playbook/route.ts'
import type { Run } from '../../domain/run/run.ts'
import type { RunEnding } from '../../domain/run/run-ending.ts'
import { summarizeWork } from '../../domain/run/summarize-work.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import { suggestionFor } from '../../domain/task/suggestion-for.ts'
import type { Task } from '../../domain/task/task.ts'
import { describeChanges } from '../../domain/task/work-changes.ts'
import type { Records } from '../../ports/store/store.ts'
import { queueLanding } from '../attempts/queue-landing.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'
import { askAboutWork, type EndedWork } from './ask-gate.ts'
import { retryTask } from './retry-task.ts'
import type { RunNeeds } from './run-needs.ts'
import { type RunEnded, storeRunEnd } from './store-run-end.ts'

/** Ends a run: its work lands or is passed on, a person is asked about it, or the task ends without any. */
export async function endRun(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
  ending: RunEnding,
): Promise<void> {
  const { run } = loaded
  switch (ending.type) {
    case 'complete':
      return completeTask(needs, records, loaded)
    case 'land':
      return landWork(needs, records, job, loaded, ending)
    case 'ask':
      return askAboutWork(needs, records, job, loaded, ending)
    case 'give-up':
      return failTask(needs, records, run, ending.end, ending.reason)
    case 'pass-on':
      await storeRunEnd(needs, records, run, endOf(ending))
      return
    default:
      assertNever(ending)
  }
}

function endOf({ end, work, reason }: Pick<EndedWork, 'end' | 'reason'> & Partial<EndedWork>): RunEnded {
  return {
    type: 'run-end',
    end,
    ...(work === undefined ? {} : { work: work.by.id }),
    ...(reason === '' ? {} : { reason }),
  }
}

/** Queues the work of a run for landing. */
export async function landWork(
  needs: RunNeeds,
  records: Records,
  job: Job,
  { run, visits, pinned }: LoadedRun,
  ended: EndedWork,
): Promise<void> {
  const { by, commit } = ended.work
  const madeBy = by.attemptId ?? by.taken?.attemptId
  const attempt = madeBy === undefined ? undefined : await records.attempts.find(madeBy)
  const task = await storeRunEnd(needs, records, run, endOf(ended))
  if (attempt === undefined || by.work === undefined) throw new Error(`run ${run.id} has lost its work`)
  const { files, commits, changes, omissions } = by.work
  const done: Task = {
    ...task,
    resultSummary: summarizeWork(pinned.playbook, visits, ended.work) ?? describeChanges(changes),
    changes: omissions.length === 0 ? changes : { ...changes, omissions },
    filesModified: files,
    commitsMade: commits,
  }
  await queueLanding(needs, records, { job, task: done, attempt, tip: commit, omissions })
  // The run may end in a handler that doesn't advance the merge queue.
  await records.note({
    audit: { actor: 'engine', action: 'run-land', subject: run.id, detail: { commit } },
    follow: [{ type: 'landing-advance', jobId: job.id }],
  })
}

async function completeTask(needs: RunNeeds, records: Records, { run }: LoadedRun): Promise<void> {
  const task = await storeRunEnd(needs, records, run, { type: 'run-end', end: 'done' })
  const state = nextTaskState(task.state, { type: 'run-complete' })
  if (!state.ok) return
  await records.tasks.save(
    { ...task, state: state.value, completedAt: needs.clock.now() },
    {
      audit: { actor: 'engine', action: 'task-complete', subject: task.id, detail: { run: run.id } },
      events: [],
      follow: [{ type: 'job-advance', jobId: task.jobId }],
    },
  )
}

/** Ends the task without anything landed. What was made is kept and can be recovered. */
export async function failTask(
  needs: RunNeeds,
  records: Records,
  run: Run,
  end: RunEnd,
  reason: string,
): Promise<void> {
  const task = await storeRunEnd(needs, records, run, { type: 'run-end', end, reason })
  if (end === 'failed' && (await retryTask(records, task, run, reason))) return
  await giveUpTask(needs, records, run, task, { end, reason })
}

type GivenUp = { readonly end: RunEnd | 'cancelled'; readonly reason: string }

/** Ends the task of a run that has ended, without another try. */
export async function giveUpTask(
  needs: RunNeeds,
  records: Records,
  run: Run,
  task: Task,
  { end, reason }: GivenUp,
): Promise<void> {
  const how = end === 'cancelled' ? 'was cancelled' : `ended as ${end}`
  const attempts = await records.attempts.listOfTask(task.id)
  const suggestion = suggestionFor(
    attempts.some(mayHaveWork)
      ? { type: end === 'unverified' ? 'unjudged' : 'run-ended', taskId: task.id }
      : { type: 'run-without-work', runId: run.id },
  )
  const state = nextTaskState(task.state, {
    type: 'run-fail',
    reason: `the run of ${run.playbook.name} ${how}: ${reason}`,
    suggestion,
  })
  if (!state.ok || state.value.type !== 'blocked') return
  await records.tasks.save(
    { ...task, state: state.value, lastFailure: reason, completedAt: needs.clock.now() },
    {
      audit: { actor: 'engine', action: 'task-block', subject: task.id, detail: { run: run.id } },
      events: [taskFailed(task, { status: 'blocked', error: state.value.reason, suggestion })],
      follow: [{ type: 'job-advance', jobId: task.jobId }],
    },
  )
}

/** The work of an attempt that hasn't been settled is collected later. */
function mayHaveWork(attempt: Attempt): boolean {
  const { state, tip, baseCommit } = attempt
  if (!attemptRulesOf(attempt).makesWork) return false
  return state.type !== 'settled' || (tip !== undefined && tip !== baseCommit)
}
