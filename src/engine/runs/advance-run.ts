import { stageEntered } from '../../domain/event/run-events.ts'
import type { RunId } from '../../domain/id.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextRunStep, type RunStep, type VisitDraft } from '../../domain/run/next-run-step.ts'
import type { Run } from '../../domain/run/run.ts'
import { reachedRunLimit } from '../../domain/run/run-limit.ts'
import { outcomeOf, type Visit } from '../../domain/run/visit.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import { alarmRun } from './alarm-run.ts'
import { beginVisits } from './begin-visits.ts'
import { endRun } from './end-run.ts'
import { keepRunClock } from './keep-run-clock.ts'
import { type LoadedRun, loadRun } from './load-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { settleChildren } from './settle-children.ts'
import { spentOnRun } from './spent-on-run.ts'
import { stopRun } from './stop-run.ts'
import { storeOutputs } from './store-outputs.ts'
import { waitsForPerson } from './waits-for-person.ts'

/**
 * Takes a run as far as its rows allow, and then the run that waits for it, in the caller's transaction, which holds the
 * lock of its job. It reads the current state instead of reacting to an event, so a repeated call changes nothing and a
 * lost one is made up for.
 */
export async function advanceRun(needs: RunNeeds, records: Records, job: Job, runId: RunId): Promise<void> {
  while (await moveOn(needs, records, job, runId));
  const run = await records.runs.find(runId)
  const waiting = run?.parentId === undefined ? undefined : await records.visits.find(run.parentId)
  if (waiting !== undefined) await advanceRun(needs, records, job, waiting.runId)
}

/** Takes one step. Returns whether there may be another one to take now. */
async function moveOn(needs: RunNeeds, records: Records, job: Job, runId: RunId): Promise<boolean> {
  const loaded = await loadRun(records, runId)
  if (loaded?.run.state.type !== 'running') return false
  if (await settleChildren(needs, records, loaded)) return true
  const { run, visits, pinned } = loaded
  const step = nextRunStep(pinned.playbook, { ...run, visits }, needs.settings.shuffle)
  if (step.type === 'wait') return await workOn(needs, records, job, loaded)
  const moved = await storeStep(needs, records, loaded, step)
  needs.crash.reach('run.before-route')
  if (step.end === undefined) return true
  await endRun(needs, records, job, { ...loaded, run: moved }, step.end, step.exhausted)
  return false
}

/** Begins the visits that wait, unless the run is out of time or money. Returns whether one of them has ended already. */
async function workOn(needs: RunNeeds, records: Records, job: Job, loaded: LoadedRun): Promise<boolean> {
  const { run, pinned } = loaded
  if (!(await waitsForPerson(records, run))) {
    const facts = { spentUsd: await spentOnRun(records, loaded), now: needs.clock.now() }
    const limit = reachedRunLimit(run, pinned.playbook.limits, job, facts)
    const isPaused = job.state.type !== 'running'
    if (limit !== undefined && !isPaused) {
      await stopRun(needs, records, job, loaded, limit)
      return false
    }
    if (await beginVisits(needs, records, job, loaded)) return true
  }
  const clocked = await keepRunClock(needs, records, job, run)
  alarmRun(needs, job, { run: clocked, visits: await records.visits.listOfRun(run.id), pinned })
  return false
}

type Step = Extract<RunStep, { type: 'continue' }>

async function storeStep(needs: RunNeeds, records: Records, loaded: LoadedRun, step: Step): Promise<Run> {
  const { run } = loaded
  const task = await records.tasks.find(run.taskId)
  if (task === undefined) throw new Error(`run ${run.id} has lost its task`)
  await storeOutputs(needs, records, loaded, task, step)
  if (isSentBack(loaded, step)) await storeRound(records, task)
  const visits = step.drafts.map((draft) => visitOf(needs, run, draft))
  const [first] = step.drafts
  if (first !== undefined) {
    await records.visits.insertAll(visits, {
      audit: { actor: 'engine', action: 'stage-enter', subject: run.id, detail: { stage: first.stage } },
      events: entriesOf(step.drafts).map((draft) => stageEntered(run, task, draft)),
    })
  }
  return await records.runs.save(
    { ...run, counters: step.counters },
    { audit: { actor: 'engine', action: 'run-route', subject: run.id, detail: { visits: visits.length } } },
  )
}

/** Whether a reviewer wants changes, and the run goes on to make them. */
function isSentBack({ visits }: LoadedRun, { end }: Step): boolean {
  const newest = Math.max(0, ...visits.map(({ ordinal }) => ordinal))
  const isWanted = visits.some((visit) => visit.ordinal === newest && outcomeOf(visit) === 'NEEDS_REVISION')
  return isWanted && end === undefined
}

async function storeRound(records: Records, task: Task): Promise<void> {
  const rounds = task.rounds + 1
  await records.tasks.save(
    { ...task, rounds },
    { audit: { actor: 'engine', action: 'task-revise', subject: task.id, detail: { rounds } } },
  )
}

/** One draft for each entry, with the number of its branches. */
function entriesOf(
  drafts: readonly VisitDraft[],
): readonly (Pick<VisitDraft, 'stage' | 'round'> & { readonly branches: number })[] {
  const ordinals = [...new Set(drafts.map(({ ordinal }) => ordinal))]
  return ordinals.flatMap((ordinal) => {
    const entry = drafts.filter((draft) => draft.ordinal === ordinal)
    const [first] = entry
    return first === undefined ? [] : [{ stage: first.stage, round: first.round, branches: entry.length }]
  })
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
