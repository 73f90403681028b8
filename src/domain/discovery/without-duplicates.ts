import type { TaskDraft } from '../task/task.ts'
import { dependsTransitively } from './dependency-graph.ts'
import { normalisedDescription } from './normalised-description.ts'

/** A task the job has already, open or completed. */
type KnownTask = { readonly description: string }

/**
 * The drafts that ask for something new, with `dependsOn` numbers that fit what is left. A draft that repeats
 * a known task goes, and so does a dependency on it: that work is done or ahead of this one. A draft that
 * repeats an earlier one of the same answer is folded into it.
 */
export function withoutDuplicates(
  drafts: readonly TaskDraft[],
  known: readonly KnownTask[],
): readonly TaskDraft[] {
  const taken = new Set(known.map((task) => normalisedDescription(task.description)))
  const numbers = new Map<string, number>()
  const kept: TaskDraft[] = []
  for (const draft of drafts) {
    const key = normalisedDescription(draft.description)
    if (taken.has(key) || numbers.has(key)) continue
    numbers.set(key, kept.push(draft))
  }
  const newNumbers = drafts.map((draft) => numbers.get(normalisedDescription(draft.description)))
  const graph = remappedGraph(kept, newNumbers)
  return kept.map((draft, index) => ({ ...draft, dependsOn: graph.get(index + 1) ?? [] }))
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
