import type { RunId } from '../../domain/id.ts'
import type { Run } from '../../domain/run/run.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { PinnedPlaybook } from '../../ports/store/pinned-playbook-records.ts'
import type { Records } from '../../ports/store/store.ts'

/** A run with everything that decides what it does next. */
export type LoadedRun = {
  readonly run: Run
  readonly visits: readonly Visit[]
  readonly pinned: PinnedPlaybook
}

export async function loadRun(
  { runs, visits, pinnedPlaybooks }: Pick<Records, 'runs' | 'visits' | 'pinnedPlaybooks'>,
  runId: RunId,
): Promise<LoadedRun | undefined> {
  const run = await runs.find(runId)
  if (run === undefined) return undefined
  const pinned = await pinnedPlaybooks.find(run.playbook.hash)
  if (pinned === undefined) throw new Error(`run ${runId} has lost its playbook ${run.playbook.name}`)
  return { run, visits: await visits.listOfRun(runId), pinned }
}
