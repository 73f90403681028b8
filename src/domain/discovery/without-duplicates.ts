import type { Task, TaskDraft } from '../task/task.ts'
import { taskName } from '../task/task-name.ts'
import { isTaskFinished } from '../task/task-state.ts'
import { chainOf, openConflicts } from './conflict-chain.ts'
import { dependsTransitively } from './dependency-graph.ts'
import { type DescribedWork, featuresOf, isSameWork } from './task-likeness.ts'

/** A task the job already has, and its name. */
export type KnownTask = DescribedWork & { readonly name: string }

/** A draft that was dropped. */
export type Repeat = {
  /** Its number in the answer, from 1. */
  readonly number: number
  readonly description: string
  /** The work that it repeats. */
  readonly of: string
}

export type DistinctDrafts = { readonly drafts: readonly TaskDraft[]; readonly repeats: readonly Repeat[] }

/**
 * The drafts that ask for something new, with `dependsOn` renumbered. A draft that repeats a known task is dropped, and
 * so are dependencies on it, because that work is done or already planned. A draft that repeats an earlier one in the
 * same answer is folded into it.
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

/** Folding two drafts into one can create a cycle; the dependency that would close it is dropped. */
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

/** Work that a planner need not ask for again: tasks that landed or are open, and tasks whose work these merge. */
export function knownWork(tasks: readonly Task[]): readonly KnownTask[] {
  const alive = [...tasks.filter(isDoneOrOpen), ...openConflicts(tasks).mergeable]
  const known = new Set(alive.flatMap((task) => chainOf(task, tasks)))
  return [...known].map((task) => ({
    description: task.description,
    files: task.files,
    name: `task ${taskName(task)}`,
  }))
}

function isDoneOrOpen({ state }: Task): boolean {
  return state.type === 'completed' || !isTaskFinished(state)
}
