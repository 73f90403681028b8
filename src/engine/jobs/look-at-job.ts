import type { Cycle } from '../../domain/cycle/cycle.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobSight } from '../../domain/job/next-step.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import { loadBalance } from '../admission/load-balance.ts'
import { keepBudget } from '../budget/keep-budget.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { hasWaitingEdit } from './waiting-edits.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'settings'>

/** All that is needed to decide what a job does next. Its budget is seen to on the way. */
export async function lookAtJob(needs: Needs, records: Records, seen: Job): Promise<JobSight> {
  const cycles = await records.cycles.listOf(seen.id)
  const cycle = cycles.at(-1)
  const tasks = cycle === undefined ? [] : await records.tasks.listOfCycle(cycle.id)
  const unsettledAttempts = (await records.attempts.listUnsettled(seen.id)).length
  const wanted = unsettledAttempts === 0 ? nextRole(cycle, tasks) : undefined
  const job = await keepBudget(needs, records, seen, await loadBalance(records, seen), wanted)
  return {
    job,
    cycles,
    tasks,
    unsettledAttempts,
    openLandings: await countMovingLandings(records, job),
    hasWaitingEdit: await hasWaitingEdit(records, job.id),
    now: needs.clock.now(),
  }
}

/** Who would be started next; nobody while a cycle is being brought to its end. */
export function nextRole(cycle: Cycle | undefined, tasks: readonly Task[]): 'planner' | 'worker' | undefined {
  const phase = cycle?.phase ?? 'done'
  if (phase === 'discovery' || phase === 'done') return 'planner'
  return tasks.some(({ state }) => state.type === 'pending') ? 'worker' : undefined
}

/** A candidate that a person is asked about holds up those behind it, for days perhaps: nothing of it moves. */
async function countMovingLandings(records: Records, job: Job): Promise<number> {
  const open = await records.landings.listOpen(job.id)
  const candidates = await records.candidates.listOpen(job.id)
  const isAsking = candidates.some(({ state }) => state.type === 'asking')
  const isChecking = candidates.some(({ state }) => state.type === 'checking')
  // What brings in the base branch has no landing, and is checked and lands all the same.
  const bases = candidates.filter(({ purpose }) => purpose.type === 'base')
  return isAsking && !isChecking ? 0 : open.length + bases.length
}
