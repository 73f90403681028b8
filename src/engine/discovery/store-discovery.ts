import type { Cycle } from '../../domain/cycle/cycle.ts'
import { nextCyclePhase } from '../../domain/cycle/next-cycle-phase.ts'
import type { Discovered } from '../../domain/discovery/discovered.ts'
import { phaseEntered, tasksDiscovered } from '../../domain/event/cycle-events.ts'
import type { Job } from '../../domain/job/job.ts'
import type { JobSight } from '../../domain/job/next-step.ts'
import type { Records } from '../../ports/store/store.ts'

/** Stores the tasks of a cycle and moves it on to doing them. */
export async function storeDiscovery(
  records: Records,
  job: Job,
  cycle: Cycle,
  discovered: Discovered,
): Promise<Pick<JobSight, 'cycles' | 'tasks'>> {
  const { tasks } = discovered
  const phase = nextCyclePhase(cycle.phase, 'execution')
  if (!phase.ok) throw new Error(`cycle ${cycle.id} cannot execute from ${cycle.phase}`)
  await records.tasks.insertAll(tasks, {
    audit: { actor: 'engine', action: 'tasks-discover', subject: cycle.id, detail: { count: tasks.length } },
    events: [tasksDiscovered(cycle, discovered)],
  })
  const executing = { ...cycle, phase: phase.value, tasksDiscovered: tasks.length }
  const saved = await records.cycles.save(executing, {
    audit: { actor: 'engine', action: 'cycle-phase', subject: cycle.id, detail: { phase: 'execution' } },
    events: [phaseEntered(executing)],
    // Nothing was started if the job is to pause: it has to notice that all is quiet.
    follow: job.state.type === 'running' && job.state.pausing ? [{ type: 'job-advance', jobId: job.id }] : [],
  })
  return { cycles: [saved], tasks }
}
