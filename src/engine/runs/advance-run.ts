import { stageEntered } from '../../domain/event/run-events.ts'
import type { RunId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { hasFormat } from '../../domain/playbook/has-format.ts'
import { entriesOf, lastEntry } from '../../domain/run/entries.ts'
import { nextRunStep, type RunStep, type VisitDraft } from '../../domain/run/next-run-step.ts'
import type { Run } from '../../domain/run/run.ts'
import { runEnding } from '../../domain/run/run-ending.ts'
import { reachedRunLimit } from '../../domain/run/run-limit.ts'
import { isVisitOpen, outcomeOf, type Visit } from '../../domain/run/visit.ts'
import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import { loadHistory } from '../loaded-runs/load-history.ts'
import { type LoadedRun, loadRun } from '../loaded-runs/load-run.ts'
import { alarmRun } from './alarm-run.ts'
import { beginVisits } from './begin-visits.ts'
import { endRun } from './end-run.ts'
import { keepRunClock } from './keep-run-clock.ts'
import type { RunNeeds } from './run-needs.ts'
import { settleChildren } from './settle-children.ts'
import { spentOnRun } from './spent-on-run.ts'
import { stopRun } from './stop-run.ts'
import { storeOutputs } from './store-outputs.ts'
import { visitsWaitForPerson } from './waits-for-person.ts'

/**
 * Takes a run as far as its rows allow, and then the run that waits for it, in the caller's transaction, which holds the
 * lock of its job. It reads the current state instead of reacting to an event, so a repeated call changes nothing and a
 * lost one is made up for.
 */
export async function advanceRun(needs: RunNeeds, records: Records, job: Job, runId: RunId): Promise<void> {
  const found = await loadRun(records, runId)
  for (let loaded = found; loaded?.run.state.type === 'running'; ) {
    loaded = await moveOn(needs, records, job, loaded)
  }
  const parentId = found?.run.parentId
  const waiting = parentId === undefined ? undefined : await records.visits.find(parentId)
  if (waiting !== undefined) await advanceRun(needs, records, job, waiting.runId)
}

/** Takes one step. Returns the run as it is then, or nothing if there is no other step to take now. */
async function moveOn(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
): Promise<LoadedRun | undefined> {
  const settled = await settleChildren(needs, records, loaded)
  if (settled !== undefined) return settled
  const { run, visits, pinned } = loaded
  const step = nextRunStep(pinned.playbook, { ...run, visits }, needs.settings.shuffle)
  if (step.type === 'wait') return await workOn(needs, records, job, loaded)
  const moved = await storeStep(needs, records, loaded, step)
  needs.crash.reach('run.before-route')
  if (step.end === undefined) return moved
  const ending = runEnding(
    { ...moved, playbook: pinned.playbook, plan: job.plan, history: await loadHistory(records, loaded) },
    step.end,
    step.exhausted,
  )
  await endRun(needs, records, job, moved, ending)
  return undefined
}

/** Begins the visits that wait, unless the run is out of time or money. Returns the run if one of them has ended already. */
async function workOn(
  needs: RunNeeds,
  records: Records,
  job: Job,
  loaded: LoadedRun,
): Promise<LoadedRun | undefined> {
  const { run, visits, pinned } = loaded
  if (await visitsWaitForPerson(records, visits)) return await keepTime(needs, records, job, loaded)
  const facts = { spentUsd: await spentOnRun(records, loaded), now: needs.clock.now() }
  const limit = reachedRunLimit(run, pinned.playbook.limits, job, facts)
  if (limit !== undefined && job.state.type === 'running') {
    await stopRun(needs, records, job, loaded, limit)
    return undefined
  }
  const begun = { ...loaded, visits: await beginVisits(needs, records, job, loaded) }
  const isOneEnded = begun.visits.filter(isVisitOpen).length < visits.filter(isVisitOpen).length
  return isOneEnded ? begun : await keepTime(needs, records, job, begun)
}

async function keepTime(needs: RunNeeds, records: Records, job: Job, loaded: LoadedRun): Promise<undefined> {
  const run = await keepRunClock(needs, records, job, loaded)
  alarmRun(needs, job, { ...loaded, run })
}

type Step = Extract<RunStep, { type: 'continue' }>

async function storeStep(
  needs: RunNeeds,
  records: Records,
  loaded: LoadedRun,
  step: Step,
): Promise<LoadedRun> {
  const { run } = loaded
  const task = await records.tasks.find(run.taskId)
  if (task === undefined) throw new Error(`run ${run.id} has lost its task`)
  await storeOutputs(needs, records, loaded, task, step)
  await storePlace(records, task, loaded, step)
  const visits = step.drafts.map((draft) => visitOf(needs, run, draft))
  const [first] = step.drafts
  if (first !== undefined) {
    await records.visits.insertAll(visits, {
      audit: { actor: 'engine', action: 'stage-enter', subject: run.id, detail: { stage: first.stage } },
      events: entered(run, task, step.drafts),
    })
  }
  const moved = await records.runs.save(
    { ...run, counters: step.counters },
    { audit: { actor: 'engine', action: 'run-route', subject: run.id, detail: { visits: visits.length } } },
  )
  return { ...loaded, run: moved, visits: [...loaded.visits, ...visits] }
}

/** Whether a reviewer wants changes, and the run goes on to make them. */
function isSentBack({ visits }: LoadedRun, { end }: Step): boolean {
  const isWanted = lastEntry(visits).some((visit) => outcomeOf(visit) === 'NEEDS_REVISION')
  return isWanted && end === undefined
}

/** Stores with the task where its run goes: whether the work is judged now, and how often it was sent back. */
async function storePlace(records: Records, task: Task, loaded: LoadedRun, step: Step): Promise<void> {
  const rounds = task.rounds + (isSentBack(loaded, step) ? 1 : 0)
  const stage = loaded.pinned.playbook.stages[step.drafts[0]?.stage ?? '']
  const isReview = stage?.type === 'role' && hasFormat(stage.output, 'review')
  const entered = stage === undefined ? undefined : nextTaskState(task.state, { type: 'run-enter', isReview })
  const state = entered?.ok === true ? entered.value : task.state
  if (rounds === task.rounds && state.type === task.state.type) return
  const action = rounds === task.rounds ? 'task-stage' : 'task-revise'
  await records.tasks.save(
    { ...task, rounds, state },
    { audit: { actor: 'engine', action, subject: task.id, detail: { rounds } } },
  )
}

/** One event for each entry, however many branches it has. */
function entered(run: Run, task: Task, drafts: readonly VisitDraft[]) {
  return entriesOf(drafts).flatMap(([first, ...others]) =>
    first === undefined ? [] : [stageEntered(run, task, { ...first, branches: others.length + 1 })],
  )
}

function visitOf(needs: RunNeeds, run: Run, { outcome, ...draft }: VisitDraft): Visit {
  const now = needs.clock.now()
  return {
    ...draft,
    id: needs.ids.next('visit'),
    runId: run.id,
    state: outcome === undefined ? { type: 'waiting' } : { type: 'settled', outcome },
    tries: 0,
    recoveries: {},
    replaced: [],
    troubles: [],
    version: 1,
    createdAt: now,
    ...(outcome === undefined ? {} : { endedAt: now }),
  }
}
