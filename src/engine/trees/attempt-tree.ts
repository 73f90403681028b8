import type { Attempt } from '../../domain/attempt/attempt.ts'
import { taskIdOf } from '../../domain/attempt/attempt-purpose.ts'
import { lastInTree, sharingTree, treeOwner } from '../../domain/attempt/tree-owner.ts'
import type { Records } from '../../ports/store/store.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { treeOf } from './tree-of.ts'

/** The directory that an attempt's agent works in. */
export function attemptTree(
  needs: Pick<EngineNeeds, 'settings'>,
  attempt: Pick<Attempt, 'id' | 'continues'>,
): string {
  return treeOf(needs, treeOwner(attempt))
}

/** The attempts that work, or worked, in the same directory. */
export async function treeUsers(
  { attempts }: Pick<Records, 'attempts'>,
  attempt: Attempt,
): Promise<readonly Attempt[]> {
  const taskId = taskIdOf(attempt)
  // Only visits continue conversations.
  if (taskId === undefined || attempt.purpose.type !== 'visit') return [attempt]
  return sharingTree(attempt, await attempts.listOfTask(taskId))
}

/**
 * The attempt that what is in the directory belongs to. The directory was emptied when it started, after the work of the
 * others was pinned.
 */
export async function treeUser(records: Pick<Records, 'attempts'>, attempt: Attempt): Promise<Attempt> {
  return lastInTree(await treeUsers(records, attempt)) ?? attempt
}
