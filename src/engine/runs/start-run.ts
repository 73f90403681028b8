import { nextTaskState } from '../../domain/task/next-task-state.ts'
import type { Records } from '../../ports/store/store.ts'
import { advanceRun } from './advance-run.ts'
import { insertRun, type RunRequest } from './insert-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { findPast, insertPast } from './take-past.ts'

/** Starts a run that works on a task: the run, its first visits and their attempts are stored together or not at all. */
export async function startRun(needs: RunNeeds, records: Records, request: RunRequest): Promise<void> {
  const { job, task, origin } = request
  const past = origin === undefined ? undefined : await findPast(records, origin)
  const run = await insertRun(needs, records, past === undefined ? request : { ...request, ...past.start })
  if (past !== undefined) await insertPast(needs, records, run, past)
  const state = nextTaskState(task.state, { type: 'run-start', runId: run.id })
  if (!state.ok) throw new Error(`task ${task.id} was chosen and is ${task.state.type}`)
  await records.tasks.save(
    { ...task, state: state.value, startedAt: task.startedAt ?? needs.clock.now() },
    { audit: { actor: 'engine', action: 'task-start', subject: task.id, detail: { run: run.id } } },
  )
  await advanceRun(needs, records, job, run.id)
}
