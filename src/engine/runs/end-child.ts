import type { Playbook } from '../../domain/playbook/playbook.ts'
import type { RunEnd } from '../../domain/playbook/route.ts'
import { denyingGate } from '../../domain/run/denied-work.ts'
import { bestWork, newestWork, type RunWork } from '../../domain/run/run-work.ts'
import { outcomeOf, type Visit } from '../../domain/run/visit.ts'
import type { Records } from '../../ports/store/store.ts'
import type { LoadedRun } from './load-run.ts'
import type { RunNeeds } from './run-needs.ts'
import { storeRunEnd } from './store-run-end.ts'

/**
 * Ends a run within another one. It asks nobody and lands nothing: the run that waits for it gets its work, unless a
 * person denied the work, and routes its outcome.
 */
export async function endChild(
  needs: RunNeeds,
  records: Records,
  loaded: LoadedRun,
  end: RunEnd,
  reason: string,
): Promise<void> {
  const ended = endOf(loaded, end, reason)
  await storeRunEnd(needs, records, loaded.run, { type: 'run-end', ...ended })
}

type ChildEnd = Omit<Parameters<typeof storeRunEnd>[3], 'type'>

/** Work that isn't complete, or that nobody judged, is passed on unless the playbook says that it is only kept. */
function usableWork(playbook: Playbook, visits: readonly Visit[]): RunWork | undefined {
  return playbook.result.partial === 'keep' ? undefined : bestWork(playbook, visits)
}

function endOf({ run, visits, pinned: { playbook } }: LoadedRun, end: RunEnd, reason: string): ChildEnd {
  const why = reason === '' ? {} : { reason }
  if (end === 'done' || end === 'failed') return { end, ...why }
  const work = end === 'land' ? newestWork(playbook, visits) : usableWork(playbook, visits)
  if (work === undefined) {
    const hasNothing = end === 'land' && run.continues === undefined
    return hasNothing ? { end: 'failed', reason: 'it reached its end without any work' } : { end, ...why }
  }
  const gate = denyingGate(playbook, visits, work.commit)
  if (gate === undefined) return { end, work: work.by.id, ...why }
  return { end: 'partial', reason: `${gate.stage} ended with ${outcomeOf(gate)}, so its work can't be used` }
}
