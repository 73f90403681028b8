import type { TaskId } from '../../../domain/id.ts'
import { degradationLine } from '../../../domain/run/degradation.ts'
import { loadDegradation } from '../../loaded-runs/load-degradation.ts'
import { loadRun } from '../../loaded-runs/load-run.ts'
import type { LandingNeeds } from '../landing-needs.ts'

/** What the runs of these tasks did without, for the commit that lands their work. Nothing is upgraded silently. */
export async function runTrailers(
  { store: { read } }: Pick<LandingNeeds, 'store'>,
  taskIds: readonly TaskId[],
): Promise<ReadonlyMap<TaskId, readonly string[]>> {
  const trailers = new Map<TaskId, readonly string[]>()
  for (const taskId of taskIds) {
    const run = (await read.runs.listOfTask(taskId)).findLast(({ parentId }) => parentId === undefined)
    const loaded = run?.state.type === 'ended' ? await loadRun(read, run.id) : undefined
    if (loaded === undefined) continue
    const degradation = await loadDegradation(read, { ...loaded, playbook: loaded.pinned.playbook })
    if (degradation === undefined || degradation.level === 'full') continue
    trailers.set(taskId, [`Muster-Degradation: ${degradationLine(degradation)}`])
  }
  return trailers
}
