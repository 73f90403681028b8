import type { TaskDraft } from '../task/task.ts'
import { dependsTransitively } from './dependency-graph.ts'
import { type DescribedWork, featuresOf, isSameWork } from './task-likeness.ts'

/** A task the job has already, and what to call it. */
export type KnownTask = DescribedWork & { readonly name: string }

/** A draft that was left out. */
export type Repeat = {
  /** In the answer, from 1. */
  readonly number: number
  readonly description: string
  /** Whose work it asked for again. */
  readonly of: string
}

export type DistinctDrafts = { readonly drafts: readonly TaskDraft[]; readonly repeats: readonly Repeat[] }

/**
 * The drafts that ask for something new, with `dependsOn` numbers that fit what is left. A draft that repeats
 * a known task goes, and so does a dependency on it: that work is done or ahead of this one. A draft that
 * repeats an earlier one of the same answer is folded into it.
 */
export function withoutDuplicates(drafts: readonly TaskDraft[], known: readonly KnownTask[]): DistinctDrafts {
  const kept: TaskDraft[] = []
  const asked = known.map((task) => ({ name: task.name, features: featuresOf(task) }))
  const repeats: Repeat[] = []
  const newNumbers: (number | undefined)[] = []
  for (const [index, draft] of drafts.entries()) {
    const number = index + 1
    const features = featuresOf(draft)
    const place = asked.findIndex((task) => isSameWork(task.features, features))
    if (place === -1) {
      newNumbers.push(kept.push(draft))
      asked.push({ name: `task ${number} of the same answer`, features })
      continue
    }
    repeats.push({ number, description: draft.description, of: asked[place]?.name ?? '' })
    newNumbers.push(place < known.length ? undefined : place - known.length + 1)
  }
  const graph = remappedGraph(kept, newNumbers)
  return {
    drafts: kept.map((draft, index) => ({ ...draft, dependsOn: graph.get(index + 1) ?? [] })),
    repeats,
  }
}

/** Folding two drafts into one can close a circle; the dependency that would close it is left out. */
function remappedGraph(
  kept: readonly TaskDraft[],
  newNumbers: readonly (number | undefined)[],
): ReadonlyMap<number, readonly number[]> {
  const graph = new Map<number, readonly number[]>()
  for (const [index, draft] of kept.entries()) {
    const own = index + 1
    for (const dependency of draft.dependsOn) {
      const number = newNumbers[dependency - 1]
      const before = graph.get(own) ?? []
      if (number === undefined || number === own || before.includes(number)) continue
      if (dependsTransitively(graph, number, own)) continue
      graph.set(own, [...before, number])
    }
  }
  return graph
}
