import { childResult } from '../../domain/run/child-result.ts'
import type { Records } from '../../ports/store/store.ts'
import { type LoadedRun, loadRun } from '../loaded-runs/load-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { shownTexts } from './shown-texts.ts'
import { settleVisit, type VisitResult } from './store-visit.ts'

/** Ends the visits whose child runs have ended. Returns the run as it is then, or nothing if there were none. */
export async function settleChildren(
  needs: RunNeeds,
  records: Records,
  loaded: LoadedRun,
): Promise<LoadedRun | undefined> {
  const { run } = loaded
  const visits = [...loaded.visits]
  let isSettled = false
  for (const [index, visit] of loaded.visits.entries()) {
    if (visit.state.type !== 'running-child') continue
    const result = resultOf(await loadRun(records, visit.state.runId))
    if (result === undefined) continue
    visits[index] = (await settleVisit(needs, records, run, visit, result)) ?? visit
    needs.crash.reach('run.after-child')
    isSettled = true
  }
  return isSettled ? { ...loaded, visits } : undefined
}

function resultOf(child: LoadedRun | undefined): VisitResult | undefined {
  if (child === undefined) return { outcome: 'failed', problem: 'its run is gone' }
  const { run, visits, pinned } = child
  const documents = shownTexts(run, visits, pinned.playbook.result.documents)
  return childResult({ run, visits, documents })
}
