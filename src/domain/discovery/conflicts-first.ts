import type { TaskDraft } from '../task/task.ts'
import type { OriginatedDraft } from './conflict-draft.ts'

/** Merges come first, and the numbers by which a planner's drafts depend on one another move along. */
export function conflictsFirst(
  conflicts: readonly OriginatedDraft[],
  planned: readonly TaskDraft[],
): readonly OriginatedDraft[] {
  const moved = planned.map(
    (draft): OriginatedDraft => ({
      ...draft,
      dependsOn: draft.dependsOn.map((number) => number + conflicts.length),
      after: (draft.after ?? []).map((number) => number + conflicts.length),
      origin: { type: 'planned' },
    }),
  )
  return [...conflicts, ...moved]
}
