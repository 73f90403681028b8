import { type Cycle, newCycle } from '../../domain/cycle/cycle.ts'
import type { OriginatedDraft } from '../../domain/discovery/conflict-draft.ts'
import { cycleStarted, phaseEntered } from '../../domain/event/cycle-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { newTasks } from './new-tasks.ts'

type Needs = Pick<EngineNeeds, 'clock' | 'ids'>

/** How a cycle begins: a planner is asked for its tasks, or they are known. */
export type CycleOpening =
  | { readonly phase: 'discovery' }
  | {
      readonly phase: 'execution'
      readonly drafts: readonly OriginatedDraft[]
      /** It only fixes the base, so new commits of the base branch can wait. */
      readonly isFix?: true
    }

/** Stores a job's next cycle, with its tasks if they are known. The caller saves the job with the new number. */
export async function openCycle(
  needs: Needs,
  records: Records,
  job: Job,
  number: number,
  opening: CycleOpening,
): Promise<Cycle> {
  const isFix = 'isFix' in opening
  const cycle: Cycle = {
    ...newCycle({ id: needs.ids.next('cycle'), jobId: job.id, number, startedAt: needs.clock.now() }),
    phase: opening.phase,
    tasksDiscovered: 'drafts' in opening ? opening.drafts.length : 0,
  }
  await records.cycles.insert(cycle, {
    audit: {
      actor: 'engine',
      action: 'cycle-start',
      subject: cycle.id,
      detail: { number, ...(isFix ? { isFix } : {}) },
    },
    events: [cycleStarted(cycle), ...(opening.phase === 'discovery' ? [] : [phaseEntered(cycle)])],
    follow: number === 1 || isFix ? [] : [{ type: 'base-follow', jobId: job.id }],
  })
  if ('drafts' in opening) await storeTasks(needs, records, job, cycle, opening.drafts)
  return cycle
}

async function storeTasks(
  needs: Needs,
  records: Records,
  job: Job,
  cycle: Cycle,
  drafts: readonly OriginatedDraft[],
): Promise<void> {
  const count = drafts.length
  await records.tasks.insertAll(newTasks(needs, job, cycle, drafts), {
    audit: { actor: 'engine', action: 'tasks-discover', subject: cycle.id, detail: { count } },
  })
}
