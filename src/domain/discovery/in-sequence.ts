import type { TaskDraft } from '../task/task.ts'
import { dependsTransitively } from './dependency-graph.ts'
import { type Coupling, predictedOverlap } from './predicted-overlap.ts'

export type SequencedDrafts<Draft extends TaskDraft> = {
  readonly drafts: readonly Draft[]
  /** The pairs that were put in sequence: the second of each now waits for the first. */
  readonly coupled: readonly Coupling[]
}

/**
 * Makes drafts that would change the same files at once wait for one another: the one with the lower priority, then
 * the higher number, waits for the nearest before it to finish. They form chains, because every wait costs time.
 */
export function inSequence<Draft extends TaskDraft>(drafts: readonly Draft[]): SequencedDrafts<Draft> {
  const overlap = new Set(predictedOverlap(drafts).map(([one, other]) => `${one} ${other}`))
  const areCoupled = (one: number, other: number): boolean =>
    overlap.has(`${Math.min(one, other)} ${Math.max(one, other)}`)
  const graph = new Map(drafts.map((draft, index) => [index + 1, draft.dependsOn]))
  const isOrdered = (one: number, other: number): boolean =>
    dependsTransitively(graph, one, other) || dependsTransitively(graph, other, one)
  const coupled: Coupling[] = []
  const before: number[] = []
  for (const number of parallelInOrder(drafts)) {
    const nearest = before.findLast((earlier) => areCoupled(earlier, number) && !isOrdered(earlier, number))
    if (nearest !== undefined) {
      graph.set(number, [...(graph.get(number) ?? []), nearest])
      coupled.push([nearest, number])
    }
    before.push(number)
  }
  const earlierThan = (number: number) =>
    coupled.flatMap(([earlier, later]) => (later === number ? [earlier] : []))
  return { drafts: drafts.map((draft, index) => ({ ...draft, after: earlierThan(index + 1) })), coupled }
}

/** Numbers of the drafts that may run in parallel, most urgent first. */
function parallelInOrder(drafts: readonly TaskDraft[]): readonly number[] {
  return drafts
    .map(({ parallel, priority }, index) => ({ parallel, priority, number: index + 1 }))
    .filter(({ parallel }) => parallel)
    .sort((one, other) => one.priority.localeCompare(other.priority) || one.number - other.number)
    .map(({ number }) => number)
}
