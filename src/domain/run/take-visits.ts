import { isInVain } from '../playbook/outcome.ts'
import type { Playbook } from '../playbook/playbook.ts'
import { routedEntries } from './entries.ts'
import type { Counters } from './route-visit.ts'
import type { RunOrigin } from './run.ts'
import { outcomeOf, type Visit } from './visit.ts'

/** What a run takes from the one that it continues. */
export type TakenPast = {
  /** Visits that have ended, in their order. */
  readonly taken: readonly Visit[]
  /** Branches of the same entry as the last of those, which are done anew. */
  readonly open: readonly Visit[]
  /** How often each limited route had been taken by then. */
  readonly counters: Counters
}

/** The visits before an entry, and the counters as they were when the run left the last of them. */
export function takeVisits(
  playbook: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
  { ordinal, keepsBranches = false }: Pick<RunOrigin, 'ordinal'> & { readonly keepsBranches?: boolean },
): TakenPast {
  const before = visits.filter((visit) => visit.ordinal < ordinal)
  const entry = visits.filter((visit) => visit.ordinal === ordinal)
  const kept = keepsBranches ? entry.filter(hasSucceeded) : []
  const open = kept.length === 0 ? [] : entry.filter((visit) => !kept.includes(visit))
  const left = Math.max(0, ordinal - (kept.length > 0 ? 1 : 2))
  return { taken: [...before, ...kept], open, counters: countersAfter(playbook, before, left) }
}

function hasSucceeded(visit: Visit): boolean {
  return visit.state.type === 'settled' && !isInVain(outcomeOf(visit))
}

/** A run stores its counters only as they are now. */
function countersAfter(
  playbook: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
  entries: number,
): Counters {
  const first = visits.filter(({ ordinal }) => ordinal <= entries)
  const last = routedEntries(playbook, first).findLast(({ routed }) => routed !== undefined)
  return last?.routed?.counters ?? {}
}
