import type { Cycle } from '../../domain/cycle/cycle.ts'
import { nextCyclePhase } from '../../domain/cycle/next-cycle-phase.ts'
import { cycleCompleted } from '../../domain/event/cycle-events.ts'
import type { NewEvent } from '../../domain/event/event.ts'
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
      events: [...events, cycleCompleted(cycle, summary)],
    },
  )
}
