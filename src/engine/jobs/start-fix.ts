import type { Baseline } from '../../domain/baseline/baseline.ts'
import { type Cycle, newCycle } from '../../domain/cycle/cycle.ts'
import { cycleStarted, phaseEntered } from '../../domain/event/cycle-events.ts'
import { fixDraft } from '../../domain/job/fix-draft.ts'
import type { Job } from '../../domain/job/job.ts'
import { nextBaseState } from '../../domain/job/next-base-state.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { newTasks } from './new-tasks.ts'

/** Stores a cycle whose only task is to fix the base. It has no planner, because Muster knows what to do. */
export async function startFix(
  needs: Pick<EngineNeeds, 'clock' | 'ids'>,
  records: Records,
  job: Job,
  baseline: Baseline,
  number: number,
): Promise<void> {
  const base = nextBaseState(job.base, { type: 'fix-start' })
  if (!base.ok) return
  const now = needs.clock.now()
  const cycle: Cycle = {
    ...newCycle({ id: needs.ids.next('cycle'), jobId: job.id, number, startedAt: now }),
    phase: 'execution',
    tasksDiscovered: 1,
  }
  await records.cycles.insert(cycle, {
    audit: { actor: 'engine', action: 'cycle-start', subject: cycle.id, detail: { number, isFix: true } },
    events: [cycleStarted(cycle), phaseEntered(cycle)],
  })
  const tasks = newTasks(needs, job, cycle, [fixDraft(baseline, job.baseBranch)])
  await records.tasks.insertAll(tasks, {
    audit: { actor: 'engine', action: 'tasks-discover', subject: cycle.id, detail: { count: 1 } },
  })
  await records.jobs.save(
    { ...job, base: base.value, currentCycle: number, updatedAt: now },
    {
      audit: { actor: 'engine', action: 'fix-start', subject: job.id, detail: { number } },
      follow: [{ type: 'job-advance', jobId: job.id }],
    },
  )
}
