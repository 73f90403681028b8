import { taskFailed } from '../../domain/event/task-events.ts'
import type { Job } from '../../domain/job/job.ts'
import { hasFormat } from '../../domain/playbook/has-format.ts'
import type { RunEnd } from '../../domain/playbook/route.ts'
import { asksPerson } from '../../domain/run/asks-person.ts'
import { denyingGate } from '../../domain/run/denied-work.ts'
import { describeRunEnd } from '../../domain/run/describe-run-end.ts'
import { isApproved } from '../../domain/run/is-approved.ts'
import type { Run } from '../../domain/run/run.ts'
import { bestWork, newestWork } from '../../domain/run/run-work.ts'
import { outcomeOf } from '../../domain/run/visit.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import { suggestionFor } from '../../domain/task/suggestion-for.ts'
import type { Task } from '../../domain/task/task.ts'
import { describeChanges } from '../../domain/task/work-changes.ts'
import type { Records } from '../../ports/store/store.ts'
import { queueLanding } from '../attempts/queue-landing.ts'
import { askAboutWork, type EndedWork } from './ask-gate.ts'
import { endChild } from './end-child.ts'
import type { LoadedRun } from './load-run.ts'
import { retryTask } from './retry-task.ts'
import type { RunNeeds } from './run-needs.ts'
import { shownTexts } from './shown-texts.ts'
import { storeRunEnd } from './store-run-end.ts'

/** Ends a run where its playbook leads: its work lands, a person is asked about it, or the task ends without any. */
export async function endRun(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
  end: RunEnd,
  exhausted: readonly string[],
): Promise<void> {
  const { visits, pinned } = loaded
  const reason = describeRunEnd(end, visits, exhausted) ?? ''
  if (loaded.run.parentId !== undefined) return endChild(needs, records, loaded, end, reason)
  if (end === 'done') return completeTask(needs, records, loaded)
  const work = end === 'land' ? newestWork(pinned.playbook, visits) : bestWork(pinned.playbook, visits)
  if (end === 'failed' || work === undefined) {
    const why = end === 'land' ? 'it reached its end without work to land' : reason
    return failTask(needs, records, loaded.run, end === 'land' ? 'failed' : end, why)
  }
  return await endWithWork(needs, records, job, loaded, { end, work, reason })
}

/** Ends a run that may not go on: with the best work that it has as partial, or as failed if it has none. */
export async function endEarly(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
  reason: string,
): Promise<void> {
  const { run, visits, pinned } = loaded
  const work = bestWork(pinned.playbook, visits)
  const end = work === undefined && !hasDocuments(loaded) ? 'failed' : 'partial'
  if (run.parentId !== undefined) return endChild(needs, records, loaded, end, reason)
  if (work === undefined) return failTask(needs, records, run, end, reason)
  return await endWithWork(needs, records, job, loaded, { end, work, reason })
}

/** Whether documents are all that a run could make, and it has some. */
function hasDocuments({ run, visits, pinned: { playbook } }: LoadedRun): boolean {
  const makesOnlyDocuments = Object.values(playbook.stages).every(
    (stage) => stage.type !== 'playbook' && !(stage.type === 'role' && hasFormat(stage.output, 'change')),
  )
  return makesOnlyDocuments && shownTexts(run, visits, playbook.result.documents).length > 0
}

async function endWithWork(
  needs: RunNeeds,
  records: Records,
  job: Job,
  { run, visits, pinned }: LoadedRun,
  ended: Required<EndedWork>,
): Promise<void> {
  const { end, work, reason } = ended
  const partial = asksPerson(job.plan, run) ? pinned.playbook.result.partial : 'keep'
  const lands = end === 'land' || partial === 'land'
  const gate = denyingGate(pinned.playbook, visits, work.commit)
  if (lands && gate !== undefined) {
    const why = `${gate.stage} ended with ${outcomeOf(gate)}, so this work must not land`
    return failTask(needs, records, run, 'partial', why)
  }
  if (lands && job.plan.reviewer !== undefined && !isApproved(pinned.playbook, visits, work.commit)) {
    return failTask(needs, records, run, 'unverified', 'no reviewer has approved this work')
  }
  if (lands) return landWork(needs, records, job, run, ended)
  if (partial === 'ask') return askAboutWork(needs, records, job, { run, visits, pinned }, ended)
  return failTask(needs, records, run, end, reason)
}

/** Queues the work of a run for landing. */
export async function landWork(
  needs: RunNeeds,
  records: Records,
  job: Job,
  run: Run,
  { end, work, reason }: EndedWork,
): Promise<void> {
  const { by, commit } = work
  const madeBy = by.attemptId ?? by.taken?.attemptId
  const attempt = madeBy === undefined ? undefined : await records.attempts.find(madeBy)
  const task = await storeRunEnd(needs, records, run, {
    type: 'run-end',
    end,
    work: by.id,
    ...(reason === undefined || reason === '' ? {} : { reason }),
  })
  if (attempt === undefined || by.work === undefined) throw new Error(`run ${run.id} has lost its work`)
  const { files, commits, changes, omissions } = by.work
  const said = (by.answer as { readonly summary?: unknown } | undefined)?.summary
  const done: Task = {
    ...task,
    resultSummary: typeof said === 'string' && said !== '' ? said : describeChanges(changes),
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
  const suggestion = suggestionFor({ type: end === 'unverified' ? 'unjudged' : 'run-ended', taskId: task.id })
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
