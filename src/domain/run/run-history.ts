import type { VisitId } from '../id.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { Visit } from './visit.ts'

/** A run with the runs that its visits wait for or waited for. */
export type RunTree = {
  readonly stages: Playbook['stages']
  readonly visits: readonly Visit[]
  readonly within: ReadonlyMap<VisitId, RunTree>
}

/** A visit of a run or of a run within it. The visits of one entry have the same `order`. */
export type PlacedVisit = { readonly visit: Visit; readonly isGate: boolean; readonly order: number }

/**
 * What happened in a run, with the visits that it took from another one, and apart from that what happened in the run that
 * it continues or tries again.
 */
export type RunHistory = { readonly own: readonly PlacedVisit[]; readonly earlier?: RunHistory }

/**
 * Everything that happened in a run and in the runs within it, oldest first. What a run within it did comes before the end
 * of the visit that waited for it.
 */
export function historyOf({ stages, visits, within }: RunTree): readonly PlacedVisit[] {
  const history: PlacedVisit[] = []
  const ordinals = [...new Set(visits.map(({ ordinal }) => ordinal))].toSorted((one, two) => one - two)
  for (const ordinal of ordinals) {
    const entry = visits.filter((visit) => visit.ordinal === ordinal)
    for (const { id } of entry) history.push(...placedAfter(history, within.get(id)))
    const order = orderAfter(history)
    history.push(...entry.map((visit) => ({ visit, isGate: stages[visit.stage]?.type === 'gate', order })))
  }
  return history
}

function placedAfter(history: readonly PlacedVisit[], run: RunTree | undefined): readonly PlacedVisit[] {
  if (run === undefined) return []
  const first = orderAfter(history)
  return historyOf(run).map((placed) => ({ ...placed, order: placed.order + first }))
}

function orderAfter(history: readonly PlacedVisit[]): number {
  return (history.at(-1)?.order ?? 0) + 1
}
