import type { RunId, TaskId } from '../../domain/id.ts'
import { type RunWork, resultOfRun } from '../../domain/run/run-work.ts'
import type { Records } from '../../ports/store/store.ts'
import { loadRun } from '../loaded-runs/load-run.ts'

type Reader = Pick<Records, 'runs' | 'visits' | 'pinnedPlaybooks'>

/** The work of a run, whatever state it is in. */
export async function findResult(records: Reader, runId: RunId): Promise<RunWork | undefined> {
  const loaded = await loadRun(records, runId)
  return loaded === undefined ? undefined : resultOfRun(loaded.pinned.playbook, loaded.run, loaded.visits)
}

/** The work of the newest run that worked on a task. Undefined if none did, or none made any. */
export async function findResultOfTask(records: Reader, taskId: TaskId): Promise<RunWork | undefined> {
  const own = (await records.runs.listOfTask(taskId)).filter(({ parentId }) => parentId === undefined)
  for (const { id } of own.toReversed()) {
    const result = await findResult(records, id)
    if (result !== undefined) return result
  }
  return undefined
}
