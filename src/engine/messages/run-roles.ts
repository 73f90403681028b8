import type { RunId } from '../../domain/id.ts'
import type { Records } from '../../ports/store/store.ts'

/** The roles of a run's playbook; none if the run is gone. */
export async function rolesOfRun(
  { runs, pinnedPlaybooks }: Pick<Records, 'runs' | 'pinnedPlaybooks'>,
  runId: RunId,
): Promise<readonly string[]> {
  const run = await runs.find(runId)
  const pinned = run === undefined ? undefined : await pinnedPlaybooks.find(run.playbook.hash)
  return Object.keys(pinned?.playbook.roles ?? {})
}
