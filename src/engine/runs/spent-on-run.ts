import type { RunId } from '../../domain/id.ts'
import type { Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import type { LoadedRun } from '../loaded-runs/load-run.ts'

/** What a run and the runs within it have cost so far. Reads nothing if its playbook doesn't limit that. */
export async function spentOnRun(records: Records, { run, visits, pinned }: LoadedRun): Promise<number> {
  if (pinned.playbook.limits.usd === undefined) return 0
  return await records.sessions.spentOn(run.jobId, [run.id, ...(await runsWithin(records, visits))])
}

async function runsWithin(records: Records, visits: readonly Visit[]): Promise<readonly RunId[]> {
  const found: RunId[] = []
  for (const { id, attemptId, tries } of visits) {
    // A visit that was given to an agent has no child.
    if (attemptId !== undefined && tries > 0) continue
    for (const child of await records.runs.listOfParent(id)) {
      found.push(child.id, ...(await runsWithin(records, await records.visits.listOfRun(child.id))))
    }
  }
  return found
}
