import type { AttemptId } from '../id.ts'
import type { Attempt } from './attempt.ts'
import { attemptRulesOf } from './attempt-purpose.ts'

/** The attempt after which an attempt's directory is named: itself, unless it continues a conversation. */
export function treeOwner({ id, continues }: Pick<Attempt, 'id' | 'continues'>): AttemptId {
  return continues?.tree ?? id
}

/** Those of the attempts that work, or worked, in the same directory as this one. */
export function sharingTree(
  attempt: Pick<Attempt, 'id' | 'continues'>,
  attempts: readonly Attempt[],
): readonly Attempt[] {
  return attempts.filter((other) => treeOwner(other) === treeOwner(attempt))
}

/**
 * Whose work is in a directory, of all attempts that share it: the one that still works there, and otherwise the one
 * whose conversation no other attempt continued. Times don't decide, because clocks can be set back. If several attempts
 * continued one conversation, a tree that has work of any of them belongs to that one until the work is pinned.
 */
export function lastInTree(users: readonly Attempt[]): Attempt | undefined {
  const working = users.find(({ state }) => state.type !== 'settled')
  if (working !== undefined) return working
  const continued = new Set(users.map(({ continues }) => continues?.sessionId))
  const ends = users.filter(({ sessionId }) => !continued.has(sessionId))
  const unpinned = ends.find((attempt) => attemptRulesOf(attempt).makesWork && attempt.tip === undefined)
  return unpinned ?? ends.at(-1)
}
