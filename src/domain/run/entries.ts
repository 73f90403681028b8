import { groupBy } from '../group-by.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { Stage } from '../playbook/stage.ts'
import { entryOutcome } from './entry-outcome.ts'
import { type Counters, type Routed, routeVisit } from './route-visit.ts'
import type { Visit } from './visit.ts'

type Numbered = Pick<Visit, 'ordinal'>

/** The visits by entry, oldest first. */
export function entriesOf<Each extends Numbered>(visits: readonly Each[]): readonly (readonly Each[])[] {
  const entries = [...groupBy(visits, ({ ordinal }) => ordinal)]
  return entries.toSorted(([one], [two]) => one - two).map(([, entry]) => entry)
}

/** The branches of the newest entry; none if there is no entry. */
export function lastEntry<Each extends Numbered>(visits: readonly Each[]): readonly Each[] {
  const newest = newestOrdinal(visits)
  return visits.filter(({ ordinal }) => ordinal === newest)
}

/** The number of the newest entry, or 0. */
export function newestOrdinal(visits: readonly Numbered[]): number {
  return Math.max(0, ...visits.map(({ ordinal }) => ordinal))
}

export type RoutedEntry = {
  readonly visits: readonly [Visit, ...Visit[]]
  readonly stage: Stage
  /** Where its outcome led. Absent while the entry is open. */
  readonly routed?: Routed
}

/**
 * The entries into stages that the playbook has, oldest first, each routed again. A run stores only where it is now, and
 * how often it has taken its limited routes by then.
 */
export function routedEntries(
  playbook: Pick<Playbook, 'stages'>,
  visits: readonly Visit[],
): readonly RoutedEntry[] {
  let counters: Counters = {}
  return entriesOf(visits).flatMap(([first, ...others]): readonly RoutedEntry[] => {
    const stage = first === undefined ? undefined : playbook.stages[first.stage]
    if (first === undefined || stage === undefined) return []
    const entry = { visits: [first, ...others], stage } as const
    const outcome = entryOutcome(stage, entry.visits)
    if (outcome === undefined) return [entry]
    const routed = routeVisit(playbook, counters, first.stage, outcome)
    counters = routed.counters
    return [{ ...entry, routed }]
  })
}
