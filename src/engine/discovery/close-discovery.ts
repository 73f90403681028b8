import type { Cycle } from '../../domain/cycle/cycle.ts'
import { nextCyclePhase } from '../../domain/cycle/next-cycle-phase.ts'
import type { NewEvent } from '../../domain/event/job-event.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'

/** Ends a cycle in which there is nothing to do. */
export async function closeDiscovery(
  needs: Pick<EngineNeeds, 'clock'>,
  records: Records,
  cycle: Cycle,
  summary: string,
  events: readonly NewEvent[],
): Promise<void> {
  const phase = nextCyclePhase(cycle.phase, 'done')
  if (!phase.ok) return
  await records.cycles.save(
    { ...cycle, phase: phase.value, summary, completedAt: needs.clock.now() },
    {
      audit: { actor: 'engine', action: 'cycle-end', subject: cycle.id, detail: {} },
      events: [
        ...events,
        {
          type: 'cycle_completed',
          jobId: cycle.jobId,
          cycle: cycle.number,
          data: { summary, tasksCompleted: 0, tasksFailed: 0 },
        },
      ],
    },
  )
}
