import type { CyclePhase } from '../../domain/cycle/cycle.ts'
import { nextCyclePhase } from '../../domain/cycle/next-cycle-phase.ts'
import { phaseEntered } from '../../domain/event/cycle-events.ts'
import type { JobSight } from '../../domain/job/next-step.ts'
import type { Records } from '../../ports/store/store.ts'
import type { Work } from '../../ports/work-queue.ts'

/** Moves the newest cycle into its next phase; the update phase brings its own work along. */
export async function enterPhase(
  records: Records,
  sight: Pick<JobSight, 'job' | 'cycles'>,
  to: CyclePhase,
  follow: readonly Work[],
): Promise<void> {
  const cycle = sight.cycles.at(-1)
  if (cycle === undefined) return
  const phase = nextCyclePhase(cycle.phase, to)
  if (!phase.ok) return
  const moved = { ...cycle, phase: phase.value }
  await records.cycles.save(moved, {
    audit: { actor: 'engine', action: 'cycle-phase', subject: cycle.id, detail: { phase: to } },
    events: [phaseEntered(moved)],
    follow: to === 'update' ? [{ type: 'cycle-update', cycleId: cycle.id }] : follow,
  })
}
