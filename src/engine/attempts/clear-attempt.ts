import type { AttemptId } from '../../domain/id.ts'
import type { GitFailure } from '../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../domain/result.ts'
import { attemptIdOf } from '../../domain/session/session-purpose.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { removeHosts } from '../sessions/end/remove-hosts.ts'
import { isAnyAsked } from '../sessions/purposes/is-asked.ts'
import { attemptTree, treeUser } from '../trees/attempt-tree.ts'
import { mayPinLater, pinAttempt } from './pin-attempt.ts'

type Needs = Pick<EngineNeeds, 'store' | 'trees' | 'host' | 'terminals' | 'disk' | 'settings'>

/**
 * Clears up after a settled attempt, and retries a tree that can't be collected for a while, unless that can't help.
 * After that, the tree is kept until the daemon starts again or a person collects garbage.
 */
export async function clearSettledAttempt(
  needs: Needs & Pick<EngineNeeds, 'clock' | 'log'>,
  attemptId: AttemptId,
): Promise<void> {
  const { keptTrees } = needs.settings
  if (keptTrees.has(attemptId)) return
  const cleared = await clearAttempt(needs, attemptId)
  if (cleared.ok) return
  const problem = describeFailure(cleared.failure)
  const attempt = await needs.store.read.attempts.find(attemptId)
  if (attempt === undefined || mayPinLater(needs, attempt, cleared.failure))
    throw new Error(`attempt ${attemptId} could not be pinned: ${problem}`)
  keptTrees.add(attemptId)
  const directory = attemptTree(needs, attempt ?? { id: attemptId })
  needs.log.warn({ attemptId, directory, problem }, 'a tree is kept, because its work could not be collected')
}

/**
 * Removes the tree and the spools of a settled attempt. A worker's tree was pinned when the attempt was settled. A
 * planner's tree is pinned now, in case it wrote something there against its instructions. If that fails, the tree is
 * the only copy of the work, and everything stays.
 */
export async function clearAttempt(needs: Needs, attemptId: AttemptId): Promise<Result<void, GitFailure>> {
  const attempt = await needs.store.read.attempts.find(attemptId)
  if (attempt?.state.type !== 'settled') return success(undefined)
  const job = await needs.store.read.jobs.find(attempt.jobId)
  const directory = attemptTree(needs, attempt)
  const owns = async () => (await treeUser(needs.store.read, attempt)).id === attemptId
  const isUnpinned = attempt.tip === undefined && (await owns()) && (await needs.disk.exists(directory))
  if (isUnpinned && job !== undefined) {
    const pinned = await pinAttempt(needs, job, attempt)
    if (!pinned.ok) return pinned
  }
  const sessions = await needs.store.read.sessions.listOfJob(attempt.jobId)
  const own = sessions.filter((session) => attemptIdOf(session) === attemptId)
  // A question to one of its sessions is answered in its tree. Clearing that question clears this attempt too.
  const isUnused = async () => !(await isAnyAsked(needs, own))
  // An attempt that continues the conversation works in the same directory. Clearing that attempt removes it.
  await needs.trees.remove(directory, async () => (await isUnused()) && (await owns()))
  if (!(await isUnused())) return success(undefined)
  for (const session of own) await removeHosts(needs, session)
  return success(undefined)
}
