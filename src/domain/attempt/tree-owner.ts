import type { AttemptId } from '../id.ts'
import type { Attempt } from './attempt.ts'

/** The attempt after which an attempt's directory is named: itself, unless it continues a conversation. */
export function treeOwner({ id, continues }: Pick<Attempt, 'id' | 'continues'>): AttemptId {
  return continues?.tree ?? id
}

/** Those of the attempts that work, or worked, in the same directory as this one, in their order. */
export function sharingTree(
  attempt: Pick<Attempt, 'id' | 'continues'>,
  attempts: readonly Attempt[],
): readonly Attempt[] {
  return attempts.filter((other) => treeOwner(other) === treeOwner(attempt))
}
