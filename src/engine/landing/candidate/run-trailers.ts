import type { TaskId } from '../../../domain/id.ts'
import { degradationLine, degradationOf } from '../../../domain/run/degradation.ts'
import type { LandingNeeds } from '../landing-needs.ts'

/** What the runs of these tasks did without, for the commit that lands their work. Nothing is upgraded silently. */
export async function runTrailers(
  { store: { read } }: Pick<LandingNeeds, 'store'>,
  taskIds: readonly TaskId[],
): Promise<ReadonlyMap<TaskId, readonly string[]>> {
  const trailers = new Map<TaskId, readonly string[]>()
  for (const taskId of taskIds) {
    const run = (await read.runs.listOfTask(taskId)).findLast(({ parentId }) => parentId === undefined)
    const pinned = run === undefined ? undefined : await read.pinnedPlaybooks.find(run.playbook.hash)
    if (run?.state.type !== 'ended' || pinned === undefined) continue
    const visits = await read.visits.listOfRun(run.id)
    const { end } = run.state
    const degradation = degradationOf({ playbook: pinned.playbook, cast: run.cast, visits, end })
    if (degradation.level === 'full') continue
    trailers.set(taskId, [`Muster-Degradation: ${degradationLine(degradation)}`])
  }
  return trailers
}
