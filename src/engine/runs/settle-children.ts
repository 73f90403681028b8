import { childResult } from '../../domain/run/child-result.ts'
import type { Records } from '../../ports/store/store.ts'
import { type LoadedRun, loadRun } from './load-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { shownTexts } from './shown-texts.ts'
import { settleVisit, type VisitResult } from './store-visit.ts'

/** Ends the visits whose child runs have ended. Returns whether there were any. */
export async function settleChildren(
  needs: RunNeeds,
  records: Records,
  { run, visits }: LoadedRun,
): Promise<boolean> {
  let isSettled = false
  for (const visit of visits) {
    if (visit.state.type !== 'running-child') continue
    const result = resultOf(await loadRun(records, visit.state.runId))
    if (result === undefined) continue
    await settleVisit(needs, records, run, visit, result)
    needs.crash.reach('run.after-child')
    isSettled = true
  }
  return isSettled
}

function resultOf(child: LoadedRun | undefined): VisitResult | undefined {
  if (child === undefined) return { outcome: 'failed', problem: 'its run is gone' }
  const { run, visits, pinned } = child
  const documents = shownTexts(run, visits, pinned.playbook.result.documents)
  return childResult({ run, visits, documents })
}
