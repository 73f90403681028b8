import { ROLE_FOR } from '../../domain/agent/built-in-roles.ts'
import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobSnapshot } from '../../domain/job/next-step.ts'
import { readyTasks } from '../../domain/task/ready-tasks.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import { loadBalance } from '../admission/load-balance.ts'
import { keepBudget } from '../budget/keep-budget.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { waitsForPerson } from '../runs/waits-for-person.ts'
import { hasWaitingEdit } from './job-documents.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'settings'>

/** Loads everything that decides what a job does next, and enforces its budget. */
export async function loadJob(needs: Needs, records: Records, seen: Job): Promise<JobSnapshot> {
  const cycles = await records.cycles.listOf(seen.id)
  const cycle = cycles.at(-1)
  const tasks = cycle === undefined ? [] : await records.tasks.listOfCycle(cycle.id)
  const { base } = seen
  const mustDecide = base?.type === 'checking' || base?.type === 'to-fix'
  const baseline = mustDecide ? await records.baselines.find(base.baselineId) : undefined
  const unsettledAttempts = (await records.attempts.listUnsettled(seen.id)).length
  const wanted = unsettledAttempts === 0 ? nextRole(seen, cycle, tasks) : undefined
  // While an attempt is unsettled, neither landings nor edits decide anything.
  const openLandings = unsettledAttempts > 0 ? 0 : await countMovingLandings(records, seen)
  const isIdle = unsettledAttempts === 0 && openLandings === 0 && readyTasks(tasks).ready.length === 0
  const job = await keepBudget(needs, records, seen, await loadBalance(records, seen), wanted)
  return {
    job,
    cycles,
    ...(baseline === undefined ? {} : { baseline }),
    tasks,
    unsettledAttempts,
    openLandings,
    hasWaitingEdit: unsettledAttempts === 0 && (await hasWaitingEdit(records, job.id)),
    waitsForPerson: base?.type === 'asking' || (isIdle && (await waitsInRuns(records, seen))),
    now: needs.clock.now(),
  }
}

/** Whether the job has runs, and all of them wait for a person. */
async function waitsInRuns(records: Records, { id }: Job): Promise<boolean> {
  const open = (await records.runs.listOpen(id)).filter(({ parentId }) => parentId === undefined)
  for (const run of open) {
    if (!(await waitsForPerson(records, run))) return false
  }
  return open.length > 0
}

/** The role that would be started next; undefined while a cycle is being finished. */
export function nextRole(
  { plan }: Job,
  cycle: Cycle | undefined,
  tasks: readonly Task[],
): string | undefined {
  // Without a planner, there is only the task. After its cycle, nothing starts.
  if (plan.approach !== undefined && cycle === undefined) return ROLE_FOR.task
  const phase = cycle?.phase ?? 'done'
  const isPlanning = phase === 'discovery' || phase === 'done'
  if (isPlanning) return plan.approach === undefined ? ROLE_FOR.discovery : undefined
  return tasks.some(({ state }) => state.type === 'pending') ? ROLE_FOR.task : undefined
}

/** A candidate that waits for a person blocks those behind it, perhaps for days, so none of them count. */
async function countMovingLandings(records: Records, job: Job): Promise<number> {
  const open = await records.landings.listOpen(job.id)
  const candidates = await records.candidates.listOpen(job.id)
  const isAsking = candidates.some(({ state }) => state.type === 'asking')
  const isChecking = candidates.some(({ state }) => state.type === 'checking')
  // A candidate for the base branch has no landing, but is checked and lands too.
  const bases = candidates.filter(({ purpose }) => purpose.type === 'base')
  return isAsking && !isChecking ? 0 : open.length + bases.length
}
