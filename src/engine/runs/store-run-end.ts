import { runEnded } from '../../domain/event/run-events.ts'
import { nextRunState, type RunEvent } from '../../domain/run/next-run-state.ts'
import type { Run } from '../../domain/run/run.ts'
import { withStoppedClock } from '../../domain/run/run-clock.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Records } from '../../ports/store/store.ts'
import type { RunNeeds } from './run-needs.ts'

export type RunEnded = Extract<RunEvent, { type: 'run-end' }>

/** Stores the end of a run. Returns its task, which the caller ends or lets land. */
export async function storeRunEnd(
  needs: Pick<RunNeeds, 'clock'>,
  records: Records,
  run: Run,
  event: RunEnded,
): Promise<Task> {
  const state = nextRunState(run.state, event)
  const task = await records.tasks.find(run.taskId)
  if (!state.ok || task === undefined) throw new Error(`run ${run.id} is ${run.state.type} and cannot end`)
  const now = needs.clock.now()
  await records.runs.save(
    { ...withStoppedClock(run, now), state: state.value, endedAt: now },
    {
      audit: { actor: 'engine', action: 'run-end', subject: run.id, detail: { end: event.end } },
      events: [runEnded(run, task, event.end, event.reason)],
    },
  )
  return task
}
