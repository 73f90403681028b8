import type { LandingId } from '../id.ts'
import type { Priority } from '../task/task.ts'

/** What the order and the size of batches depend on. */
export type WaitingLanding = {
  readonly id: LandingId
  /** The files it changes. */
  readonly files: readonly string[]
  readonly priority: Priority
  readonly batchLimit: number
  /** A person must see it before it lands, whatever the mode. */
  readonly isUnusual?: boolean
}

/**
 * Orders landings so that the fewest are likely to conflict. Changes to files that few others change come first, so
 * one sweeping change waits for the many small ones instead of breaking all of them. Then by urgency, then by age.
 */
export function orderLandings<Entry extends WaitingLanding>(waiting: readonly Entry[]): readonly Entry[] {
  const rivals = countRivals(waiting)
  return [...waiting].sort(
    (one, other) =>
      (rivals.get(one.id) ?? 0) - (rivals.get(other.id) ?? 0) ||
      one.priority.localeCompare(other.priority) ||
      (one.id < other.id ? -1 : 1),
  )
}

/** For each landing, how many others change one of its files. */
function countRivals(waiting: readonly WaitingLanding[]): ReadonlyMap<string, number> {
  const byFile = new Map<string, string[]>()
  for (const { id, files } of waiting) {
    for (const file of new Set(files)) byFile.set(file, [...(byFile.get(file) ?? []), id])
  }
  return new Map(
    waiting.map(({ id, files }) => {
      const rivals = new Set(files.flatMap((file) => byFile.get(file) ?? []))
      rivals.delete(id)
      return [id, rivals.size]
    }),
  )
}
